import { z } from 'zod';
import { claimsText, countsText, verdictText } from '#src/studies/exports/cellText.ts';
import { fetchStudies, fetchStudy, type StudyAnswer, type StudyEntry } from '#src/studies/command/fetchStudies.ts';
import { chosenCells } from '#src/studies/command/showStudy.ts';
import { firstOf, markdownTable, NOTHING, paragraphs } from '#src/base/tools/markdown.ts';
import { defineTool, type ToolAnswer } from '#src/base/tools/tool.ts';

const MOST_CELLS = 80;

export const showStudies = defineTool({
  name: 'studies',
  title: 'Studies of the papers',
  description:
    'Tables, figures and claims of the papers that Warren reproduces, each from runs. Without `study` a list with how far each is; with one, such as sevo/table-3, the printed number beside the measured one with a verdict for each cell, and each claim of the paper with its verdict.',
  effect: 'reads',
  input: z.strictObject({
    study: z.string().optional().describe('Name of one study'),
    rows: z.array(z.string()).optional().describe('Only these rows, by name, label or group'),
    columns: z.array(z.string()).optional().describe('Only these columns, by name, label or group'),
  }),
  async answer({ api }, { study, rows, columns }) {
    if (study === undefined) return list(await fetchStudies(api));
    return one(await fetchStudy(api, study), { rows, columns });
  },
});

function list(studies: readonly StudyEntry[]): ToolAnswer {
  const rows = studies.map((study) => [
    study.name,
    verdictText(study.state),
    countsText(study) || NOTHING,
    claimsText(study) || NOTHING,
    study.notRunnable === null ? study.title : `${study.title}: ${study.notRunnable}`,
  ]);
  return {
    text: markdownTable(['study', 'state', 'cells', 'claims', 'title'], rows),
    data: {
      studies: studies.map(({ name, title, source, state, notRunnable }) => ({
        name,
        title,
        source,
        state,
        notRunnable,
      })),
    },
  };
}

function one(study: StudyAnswer, chosen: { rows: string[] | undefined; columns: string[] | undefined }): ToolAnswer {
  const cells = chosenCells(study, chosen);
  const measured = cells.filter(({ measuredText }) => measuredText !== '');
  const { shown, note } = firstOf(measured, MOST_CELLS, (left) => `${left} more cells: rows and columns choose.`);
  const table = shown.map((cell) => [
    ...[cell.rowLabel, cell.columnLabel, cell.printedText || NOTHING, cell.measuredText],
    ...[
      cell.differenceText || NOTHING,
      verdictText(cell.verdict),
      cell.runs.map(({ number }) => `#${number}`).join(' '),
    ],
  ]);
  const open = cells.length - measured.length;
  return {
    text: paragraphs(
      `**${study.name}**: ${study.title} (${study.source}), ${verdictText(study.state)}`,
      table.length === 0
        ? null
        : markdownTable(['row', 'column', 'printed', 'measured', 'difference', 'verdict', 'runs'], table),
      note,
      open === 0 ? null : `${open} cells are not measured. \`warren reproduce ${study.name}\` queues what is missing.`,
      study.claims
        .map(({ verdict, text, reason }) => `- ${verdictText(verdict)}: ${text}${reason === '' ? '' : ` (${reason})`}`)
        .join('\n'),
    ),
    data: {
      name: study.name,
      title: study.title,
      source: study.source,
      state: study.state,
      cells: shown.map(({ rowLabel, columnLabel, printedText, measuredText, verdict, reason, runs }) => ({
        ...{ row: rowLabel, column: columnLabel, printed: printedText, measured: measuredText, verdict, reason },
        runs: runs.map(({ number }) => number),
      })),
      notMeasured: open,
      claims: study.claims,
    },
  };
}

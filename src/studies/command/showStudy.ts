import { printable } from '#src/base/lib/printable.ts';
import { claimsText, countsText, verdictText } from '#src/studies/exports/cellText.ts';
import type { CellVerdict, ClaimVerdict } from '#src/studies/verdicts/studyReport.ts';
import type { StudyAnswer, StudyEntry } from './fetchStudies.ts';
import type { Colours } from '#src/base/terminal/colours.ts';
import { renderTable } from '#src/base/terminal/table.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';

type Screen = Pick<Terminal, 'colours' | 'width'>;

function colored(verdict: CellVerdict | ClaimVerdict, colours: Colours): string {
  const text = verdictText(verdict);
  if (verdict === 'AGREES' || verdict === 'CONFIRMED') return colours.green(text);
  if (verdict === 'DIFFERS' || verdict === 'REFUTED') return colours.red(text);
  return verdict === 'SHORTENED' ? colours.yellow(text) : colours.dim(text);
}

/** Lines of the list of studies. */
export function studiesTable(studies: readonly StudyEntry[], { colours, width }: Screen): string[] {
  const columns = [
    { header: 'STUDY' },
    { header: 'STATE' },
    { header: 'CELLS', minimum: 20 },
    { header: 'CLAIMS', minimum: 12 },
    { header: 'TITLE', minimum: 20 },
  ];
  const rows = studies.map((study) => [
    study.name,
    verdictText(study.state),
    countsText(study) || '–',
    claimsText(study) || '–',
    printable(study.notRunnable === null ? study.title : `${study.title}: ${study.notRunnable}`),
  ]);
  return renderTable(columns, rows, { width: width(), styleHeader: colours.dim });
}

/** Lines of a study: its chosen cells that were measured, how many were not, and its claims. */
export function studyLines(
  study: StudyAnswer,
  { rows, columns, screen }: { rows?: string[] | undefined; columns?: string[] | undefined; screen: Screen },
): string[] {
  const { colours, width } = screen;
  const cells = chosenCells(study, { rows, columns });
  const measured = cells.filter(({ measuredText }) => measuredText !== '');
  const table = renderTable(
    [
      { header: 'ROW', minimum: 12 },
      { header: 'COLUMN', minimum: 12 },
      { header: 'PRINTED', align: 'right' },
      { header: 'MEASURED', align: 'right' },
      { header: 'DIFFERENCE', align: 'right' },
      { header: 'VERDICT' },
      { header: 'RUNS', minimum: 8 },
    ],
    measured.map((cell) => [
      cell.rowLabel,
      cell.columnLabel,
      cell.printedText,
      cell.measuredText,
      cell.differenceText,
      colored(cell.verdict, colours),
      cell.runs.map(({ number }) => `#${number}`).join(' '),
    ]),
    { width: width(), styleHeader: colours.dim },
  );
  const open = cells.filter(({ measuredText }) => measuredText === '');
  const reasons = [...new Set(open.map(({ reason }) => reason))];
  const shown = reasons.slice(0, 3).map((reason) => printable(reason));
  return [
    `${study.name}: ${printable(study.title)} (${printable(study.source)}), ${verdictText(study.state)}`,
    ...(measured.length > 0 ? table : []),
    ...(open.length > 0
      ? [colours.dim(`${open.length} cells are not measured: ${shown.join('; ')}${reasons.length > 3 ? '; …' : ''}`)]
      : []),
    ...study.claims.map(
      ({ verdict, text, reason }) =>
        `${colored(verdict, colours)}: ${printable(text)}${reason === '' ? '' : colours.dim(` (${printable(reason)})`)}`,
    ),
  ];
}

type StudyCell = StudyAnswer['cells'][number] & { rowLabel: string; columnLabel: string };

/** The cells of these rows and columns, all where none are named, with the labels of both. */
export function chosenCells(
  study: StudyAnswer,
  { rows, columns }: { rows?: readonly string[] | undefined; columns?: readonly string[] | undefined },
): StudyCell[] {
  const lineOf = (lines: StudyAnswer['rows'], name: string) => lines.find((line) => line.name === name);
  const label = (line: StudyAnswer['rows'][number] | undefined) =>
    line === undefined ? '' : `${line.group === '' ? '' : `${line.group} `}${line.label}`;
  const isChosen = (line: StudyAnswer['rows'][number] | undefined, chosen: readonly string[] | undefined) =>
    chosen === undefined ||
    [line?.name, line?.label, line?.group].some((name) =>
      chosen.some((one) => one.toLowerCase() === name?.toLowerCase()),
    );
  return study.cells.flatMap((cell) => {
    const [row, column] = [lineOf(study.rows, cell.row), lineOf(study.columns, cell.column)];
    if (!isChosen(row, rows) || !isChosen(column, columns)) return [];
    return [{ ...cell, rowLabel: label(row), columnLabel: label(column) }];
  });
}

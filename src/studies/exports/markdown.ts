import type { CellReport, CellVerdict, ClaimReport, FigureReport, StudyReport } from '../verdicts/studyReport.ts';
import {
  cellsByPlace,
  claimsText,
  countsText,
  measuredText,
  printedText,
  probabilityText,
  verdictText,
} from './cellText.ts';

/** Behind a measured number. */
const MARKS: Readonly<Record<CellVerdict, string>> = {
  AGREES: '✓',
  DIFFERS: '✗',
  UNDECIDED: '?',
  SHORTENED: '(shortened)',
  NOT_PRINTED: '',
  NOT_RUN: '',
  NOT_RUNNABLE: '',
};

/** Text for a cell or a line of Markdown. */
export function escaped(text: string): string {
  return text.replace(/[|\\<>]/g, (character) => `\\${character}`).replace(/\s*\n\s*/g, ' ');
}

/** A study as Markdown: its table with printed and measured numbers, its claims, its figures' points. */
export function studyMarkdown(report: StudyReport, { level = 2 }: { level?: number } = {}): string {
  const { name, title, source, notes, notRunnable } = report;
  const parts = [
    `${'#'.repeat(level)} ${escaped(`${name}: ${title}`)}`,
    escaped([`${source}.`, summaryText(report), notes].filter((text) => text !== '').join(' ')),
    ...(notRunnable === null ? [] : [`Cannot be run: ${escaped(notRunnable)}.`]),
    ...(report.cells.length === 0 ? [] : [tableText(report), legend(report)]),
    ...(report.claims.length === 0 ? [] : [report.claims.map(claimText).join('\n'), familyText(report)]),
    ...report.figures.map(figureText),
    provenanceText(report),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function summaryText(report: StudyReport): string {
  const counts = [countsText(report), claimsText(report)].filter((text) => text !== '');
  return `State: ${verdictText(report.state)}${counts.length === 0 ? '' : ` (${counts.join('; ')})`}.`;
}

function tableText(report: StudyReport): string {
  const { rows, columns } = report;
  const cellAt = cellsByPlace(report);
  const title = ({ group, label }: { group: string; label: string }) =>
    escaped(group === '' ? label : `${group}: ${label}`);
  const lines = [
    ['', ...columns.map(title)],
    ['---', ...columns.map(() => '---:')],
    ...rows.map((row) => [title(row), ...columns.map((column) => cellText(cellAt(row, column)))]),
  ];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function cellText(cell: CellReport | null): string {
  if (cell === null) return '';
  const printed = printedText(cell);
  const measured = measuredText(cell);
  if (measured === '') return printed === '' ? '–' : `– [${printed}]`;
  return `${measured}${printed === '' ? '' : ` [${printed}]`} ${MARKS[cell.verdict]}`.trimEnd();
}

function legend({ unit, cells }: StudyReport): string {
  const reasons = [...new Set(cells.filter(({ verdict }) => verdict === 'NOT_RUNNABLE').map(({ reason }) => reason))];
  const cannot = reasons.length === 0 ? '' : ` Cannot be run: ${reasons.map(escaped).join('; ')}.`;
  const inUnit = unit === '' ? '' : ` All in ${escaped(unit)}.`;
  return `Measured, mean ± s.d. (seeds), and [printed]. ✓ agrees, ✗ differs, ? undecided, – not measured.${inUnit}${cannot}`;
}

function claimText({ text, source, verdict, reason, statements }: ClaimReport): string {
  const head = `- **${verdictText(verdict)}**: ${escaped(text)} (${escaped(source)})${reason === '' ? '' : ` ${escaped(reason)}.`}`;
  const lines = statements
    .filter(({ difference }) => difference !== null)
    .map((one) => {
      const numbers = [
        one.pHolm === null ? '' : `${probabilityText(one.pHolm)} after Holm`,
        one.test,
        one.reason,
        one.runs.length === 0 ? '' : `runs ${one.runs.map(({ number }) => number).join(', ')}`,
      ].filter((part) => part !== '');
      const value = one.difference!.toPrecision(3);
      return `  - ${escaped(one.words)}: ${verdictText(one.verdict)}, ${value}${numbers.length === 0 ? '' : ` (${escaped(numbers.join('; '))})`}`;
    });
  return [head, ...lines].join('\n');
}

/** What p-values are corrected for: fixed before anything ran. */
function familyText({ family }: StudyReport): string {
  if (family.size === 0) return '';
  return `Holm’s correction is over the ${family.size} comparisons that the claims state and that can be run, measured or not (sha256 ${family.hash.slice(0, 12)}).`;
}

/** What figures show, as numbers; whole curves are on the page of the study. */
function figureText({ title, shows, panels }: FigureReport): string {
  const lines = panels.flatMap((panel) =>
    panel.series.flatMap(({ label, points, shortened, reason }) => {
      const told = toldOf(points.filter(({ mean }) => mean !== null));
      if (told.length === 0) return [];
      const numbers = told.map(({ x, mean }) => `${x}: ${Number(mean!.toPrecision(4))}`).join(', ');
      return `- ${escaped(panel.title)}, ${escaped(label)}${shortened ? ' (shortened)' : ''}: ${numbers}${reason === '' ? '' : ` (${escaped(reason)})`}`;
    }),
  );
  return [`${escaped(title)}. The paper: ${escaped(shows)}`, ...(lines.length === 0 ? [] : ['', ...lines])].join('\n');
}

/** A longer curve is told by so many of its points. */
const MOST_TOLD = 20;

/** All points, or of a long curve some that are evenly apart, its ends among them. */
function toldOf<Point>(points: readonly Point[]): readonly Point[] {
  if (points.length <= MOST_TOLD) return points;
  const gap = (points.length - 1) / (MOST_TOLD - 1);
  return Array.from({ length: MOST_TOLD }, (_, index) => points[Math.round(index * gap)]!);
}

function provenanceText({ provenance }: StudyReport): string {
  const { commits, machines, from, to } = provenance;
  if (from === null || to === null) return '';
  const days = [...new Set([from.slice(0, 10), to.slice(0, 10)])].join(' to ');
  const code = commits.map((commit) => commit.slice(0, 12)).join(', ');
  return `Computed ${days}${code === '' ? '' : ` by ${code}`}${machines.length === 0 ? '' : ` on ${escaped(machines.join(', '))}`}.`;
}

import { csvLine } from '#src/base/lib/csvLine.ts';
import type { StudyReport } from '../verdicts/studyReport.ts';

const COLUMNS = [
  'study',
  'row_group',
  'row',
  'column_group',
  'column',
  'printed',
  'printed_sd',
  'measured',
  'measured_sd',
  'seeds',
  'difference',
  'verdict',
  'reason',
  'runs',
] as const;

/** One line a cell, in the printed unit; empty where there is no number. */
export function studiesCsv(reports: readonly StudyReport[]): string {
  const lines = reports.flatMap(({ name, rows, columns, cells }) =>
    cells.map((cell) => {
      const row = rows.find((line) => line.name === cell.row);
      const column = columns.find((line) => line.name === cell.column);
      return [
        name,
        row?.group,
        row?.label,
        column?.group,
        column?.label,
        cell.printed?.value,
        cell.printed?.standardDeviation,
        cell.mean,
        cell.standardDeviation,
        cell.n,
        cell.difference,
        cell.verdict,
        cell.reason,
        cell.runs.map(({ number }) => number).join(' '),
      ];
    }),
  );
  return [COLUMNS, ...lines].map((line) => csvLine(line.map((value) => value ?? ''))).join('');
}

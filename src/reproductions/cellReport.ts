import type { StudyTable, TableCell, Tolerance } from '#src/catalog/studies/study.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { studentQuantile } from '#src/statistics/studentQuantile.ts';
import type { ArmRuns, StudyRun } from './armRuns.ts';
import { differenceText, measuredText, printedText } from './exports/cellText.ts';
import { type Measured, type Missing, measureValue } from './measureValue.ts';
import {
  type CellReport,
  type CellVerdict,
  MOST_REFERENCES,
  type PrintedNumber,
  type RunReference,
} from './studyReport.ts';
import { testComparison, type UserTestOf } from './testComparison.ts';

const LEVEL = 0.95;

/** A cell beside what is measured of it, in the printed unit. */
export function cellReport(
  cell: TableCell,
  table: StudyTable,
  known: { arms: ReadonlyMap<string, ArmRuns>; userTest: UserTestOf },
): CellReport {
  const digits = cell.digits ?? table.digits;
  const printed = printedNumber(cell);
  const place = { row: cell.row, column: cell.column, digits, printed };
  const measured = measuredOf(cell, known);
  if ('missing' in measured) {
    const verdict = measured.forever ? 'NOT_RUNNABLE' : 'NOT_RUN';
    const nothing = { mean: null, standardDeviation: null, n: 0, difference: null, runs: [] };
    const texts = { printedText: printedText({ printed, digits }), measuredText: '', differenceText: '' };
    return { ...place, ...nothing, ...texts, verdict, reason: measured.missing };
  }
  const scale = cell.scale ?? table.scale ?? 1;
  const summary = summarizeReplicates([...measured.bySeed.values()].map((value) => value * scale));
  const judged = judge(summary, { printed, digits, tolerance: cell.tolerance ?? table.tolerance, measured });
  const difference = printed === null ? null : summary.mean - printed.value;
  const texts = {
    printedText: printedText({ printed, digits }),
    measuredText: measuredText({ ...summary, digits }),
    differenceText: differenceText({ difference, digits }),
  };
  return { ...place, ...summary, difference, ...texts, ...judged, runs: references(measured.runs) };
}

/** What a cell stands for; of a p-value also whether the difference is not the one that the paper tests. */
type MeasuredCell = Measured & { isReversed?: boolean };

function measuredOf(
  { value, notRunnable }: TableCell,
  { arms, userTest }: { arms: ReadonlyMap<string, ArmRuns>; userTest: UserTestOf },
): MeasuredCell | Missing {
  if (notRunnable !== undefined || value === undefined)
    return { missing: notRunnable ?? 'not measured', forever: true };
  if (!('comparison' in value)) return measureValue(value, arms);
  const tested = testComparison(value.comparison, arms, userTest);
  if (tested.p === null) return { missing: tested.reason, forever: tested.forever };
  const oneSided = tested.difference! > 0 ? tested.p / 2 : 1 - tested.p / 2;
  const p = value.test === 'paired-one-sided' ? oneSided : tested.p;
  const { shortened, runs } = tested;
  return { bySeed: new Map([[0, p]]), deterministic: true, shortened, runs, isReversed: tested.difference! <= 0 };
}

function printedNumber({ printed }: TableCell): PrintedNumber | null {
  if (printed === undefined) return null;
  const { value, standardDeviation = null, n = null, place = null } = printed;
  return { value, standardDeviation, n, place };
}

/** The runs as one names them, at most `MOST_REFERENCES`. */
export function references(runs: readonly StudyRun[]): RunReference[] {
  return runs.slice(0, MOST_REFERENCES).map(({ id, number, seed }) => ({ id, number, seed }));
}

interface Summary {
  mean: number;
  standardDeviation: number | null;
  n: number;
}

function judge(
  { mean, standardDeviation, n }: Summary,
  of: { printed: PrintedNumber | null; digits: number; tolerance: Tolerance; measured: MeasuredCell },
): { verdict: CellVerdict; reason: string } {
  const { printed, digits, tolerance, measured } = of;
  if (measured.shortened) return { verdict: 'SHORTENED', reason: 'with less training or data than the paper gives' };
  if (printed === null) return { verdict: 'NOT_PRINTED', reason: 'the paper prints no number' };
  if (measured.isReversed === true && mean < 0.05 && printed.value < 0.05) {
    return { verdict: 'DIFFERS', reason: 'the difference has the other sign' };
  }
  const within = withinTolerance(mean, printed.value, { tolerance, digits });
  if (within !== null) return { verdict: 'AGREES', reason: within };
  if (standardDeviation !== null && n > 1) {
    const error = Math.hypot(standardDeviation / Math.sqrt(n), printedError(printed));
    const reach = studentQuantile(LEVEL, n - 1) * error;
    const shown = `${(mean - reach).toFixed(digits)} to ${(mean + reach).toFixed(digits)}`;
    if (Math.abs(mean - printed.value) <= reach) {
      return { verdict: 'AGREES', reason: `the interval over ${n} seeds, ${shown}, holds the printed value` };
    }
    return { verdict: 'DIFFERS', reason: `outside the tolerance and the interval over ${n} seeds, ${shown}` };
  }
  return { verdict: 'DIFFERS', reason: `outside the tolerance (${toleranceText(tolerance)})` };
}

function printedError({ standardDeviation, n }: PrintedNumber): number {
  return standardDeviation === null || n === null ? 0 : standardDeviation / Math.sqrt(n);
}

/** By which rule the value agrees with the printed one; null where by none. */
export function withinTolerance(
  value: number,
  printed: number,
  { tolerance, digits }: { tolerance: Tolerance; digits: number },
): string | null {
  const distance = Math.abs(value - printed);
  const { relative, absolute, sameSideOf } = tolerance;
  // what is lost by storing decimals as binary numbers must not decide
  const slack = 1e-9 * Math.max(1, Math.abs(printed));
  if (distance <= 0.5 * 10 ** -digits + slack) return 'the same number as printed';
  if (absolute !== undefined && distance <= absolute + slack) return `within ${absolute} of the printed value`;
  if (relative !== undefined && distance <= relative * Math.abs(printed) + slack) {
    return `within ${100 * relative} % of the printed value`;
  }
  if (sameSideOf !== undefined && value < sameSideOf === printed < sameSideOf) {
    return `${printed < sameSideOf ? 'below' : 'not below'} ${sameSideOf}, as printed`;
  }
  return null;
}

function toleranceText({ relative, absolute, sameSideOf }: Tolerance): string {
  const parts = [
    ...(relative === undefined ? [] : [`${100 * relative} %`]),
    ...(absolute === undefined ? [] : [`± ${absolute}`]),
    ...(sameSideOf === undefined ? [] : [`the same side of ${sameSideOf}`]),
  ];
  return parts.length > 0 ? parts.join(' or ') : 'the same number';
}

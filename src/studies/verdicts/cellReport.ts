import type { StudyTable, TableCell, Tolerance } from '#src/catalog/studies/study.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { studentQuantile } from '#src/statistics/studentQuantile.ts';
import type { ArmRuns, StudyRun } from './armRuns.ts';
import { differenceText, measuredText, printedText } from '../exports/cellText.ts';
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

/** What a cell stands for; of a p-value also whether the difference is not the one that the paper tests, and why it decides nothing. */
type MeasuredCell = Measured & { isReversed?: boolean; undecided?: string };

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
  const undecided = tested.decides ? {} : { undecided: tested.reason };
  return {
    bySeed: new Map([[0, p]]),
    deterministic: true,
    shortened,
    runs,
    isReversed: tested.difference! <= 0,
    ...undecided,
  };
}

function printedNumber({ printed }: TableCell): PrintedNumber | null {
  if (printed === undefined) return null;
  const { value, standardDeviation = null, n = null, place = null, spread = null } = printed;
  return { value, standardDeviation, n, place, spread };
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
  if (measured.undecided === undefined && measured.isReversed === true && mean < 0.05 && printed.value < 0.05) {
    return { verdict: 'DIFFERS', reason: 'the difference has the other sign' };
  }
  if (measured.undecided !== undefined) return { verdict: 'UNDECIDED', reason: measured.undecided };
  const { sameSideOf } = tolerance;
  if (sameSideOf !== undefined) {
    const side = printed.value < sameSideOf ? 'below' : 'not below';
    const same = mean < sameSideOf === printed.value < sameSideOf;
    return { verdict: same ? 'AGREES' : 'DIFFERS', reason: `${same ? '' : 'not '}${side} ${sameSideOf}, as printed` };
  }
  const distance = Math.abs(mean - printed.value);
  const margin = marginOf(printed.value, { tolerance, digits });
  const spread = measured.deterministic ? 0 : standardDeviation;
  const reach = spread === null ? null : spread === 0 ? 0 : (studentQuantile(LEVEL, n - 1) * spread) / Math.sqrt(n);
  const shown =
    reach === null
      ? ''
      : reach === 0
        ? ''
        : ` (${(mean - reach).toFixed(digits)} to ${(mean + reach).toFixed(digits)})`;
  if (reach !== null && distance + reach <= margin) {
    return { verdict: 'AGREES', reason: `the whole interval${shown} lies within ${toleranceText(tolerance)}` };
  }
  const predicted = predictionReach(printed, { spread, n });
  if (predicted === null) return { verdict: 'UNDECIDED', reason: 'one seed has no interval' };
  // a printed number is one that was rounded
  if (distance > Math.max(predicted.reach, predicted.reach === 0 ? margin : 0) + 0.5 * 10 ** -digits) {
    return {
      verdict: 'DIFFERS',
      reason:
        predicted.reach === 0
          ? `outside ${toleranceText(tolerance)}, and the method draws nothing at random`
          : `outside the 95 % prediction interval, ± ${predicted.reach.toFixed(digits)} by ${predicted.by}`,
    };
  }
  return {
    verdict: 'UNDECIDED',
    reason: `the interval${shown} reaches beyond ${toleranceText(tolerance)}, and the difference is no more than chance by ${predicted.by}`,
  };
}

/** How far a mean of `n` seeds may lie from the printed one by chance alone, in 95 of 100 cases; null where nothing tells. */
function predictionReach(
  { standardDeviation, n: printedRuns, spread }: PrintedNumber,
  ours: { spread: number | null; n: number },
): { reach: number; by: string } | null {
  const theirs =
    spread ?? (standardDeviation === null || printedRuns === null ? null : { standardDeviation, n: printedRuns });
  if (theirs !== null) {
    const error = theirs.standardDeviation * Math.sqrt(1 / theirs.n + 1 / ours.n);
    return { reach: studentQuantile(LEVEL, theirs.n - 1) * error, by: `the authors’ ${theirs.n} runs` };
  }
  if (ours.spread === null) return null;
  if (ours.spread === 0) return { reach: 0, by: 'a method without randomness' };
  const error = ours.spread * Math.sqrt(1 / ours.n + 1 / (printedRuns ?? 1));
  return { reach: studentQuantile(LEVEL, ours.n - 1) * error, by: `the spread of our ${ours.n} seeds` };
}

/** The widest of a tolerance's margins around a printed value, never less than what its rounding took. */
export function marginOf(printed: number, { tolerance, digits }: { tolerance: Tolerance; digits: number }): number {
  const { relative = 0, absolute = 0 } = tolerance;
  // what is lost by storing decimals as binary numbers must not decide
  const slack = 1e-9 * Math.max(1, Math.abs(printed));
  return Math.max(0.5 * 10 ** -digits, absolute, relative * Math.abs(printed)) + slack;
}

function toleranceText({ relative, absolute, sameSideOf }: Tolerance): string {
  const parts = [
    ...(relative === undefined ? [] : [`${100 * relative} %`]),
    ...(absolute === undefined ? [] : [`± ${absolute}`]),
    ...(sameSideOf === undefined ? [] : [`the same side of ${sameSideOf}`]),
  ];
  return parts.length > 0 ? parts.join(' or ') : 'the same number';
}

import { armByName } from '#src/catalog/studies/armConfiguration.ts';
import type { RangeStatement, Study, StudyClaim, StudyComparison, StudyStatement } from '#src/catalog/studies/study.ts';
import { holmAdjusted } from '#src/statistics/holm.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { studentQuantile } from '#src/statistics/studentQuantile.ts';
import type { ArmRuns } from './armRuns.ts';
import { references } from './cellReport.ts';
import { measureValue } from './measureValue.ts';
import type { ClaimReport, ClaimVerdict, StatementReport } from './studyReport.ts';
import { pairsOf, testComparison, type UserTestOf } from './testComparison.ts';

const ALPHA = 0.05;
const LEVEL = 0.95;
const SHORTENED = 'its runs are shortened, which decides nothing';

interface Known {
  arms: ReadonlyMap<string, ArmRuns>;
  userTest: UserTestOf;
  /** Dataset of an arm, for the words of a statement. */
  datasetOf: (arm: string) => string | null;
}

/**
 * What the runs say of the claims of a study. Holm's correction is over all tests of all claims of the study; a claim is
 * confirmed where all of its statements are, refuted where one of them is.
 */
export function claimReports(study: Study, known: Known): ClaimReport[] {
  const made = study.claims.map((claim) => ({
    claim,
    statements: claim.statements.map((statement) => measured(study, statement, known)),
  }));
  const tested = made.flatMap(({ statements }) => statements.filter(({ report }) => report.p !== null));
  const adjusted = holmAdjusted(tested.map(({ report }) => report.p!));
  for (const [index, { report }] of tested.entries()) report.pHolm = adjusted[index]!;
  return made.map(({ claim, statements }) => concluded(claim, statements.map(decided)));
}

interface MeasuredStatement {
  report: StatementReport;
  shortened: boolean;
  /** Of a range: whether the value lies in it; null where that is open. */
  inRange?: boolean | null;
}

function measured(study: Study, statement: StudyStatement, known: Known): MeasuredStatement {
  return 'above' in statement ? compared(study, statement, known) : ranged(statement, known);
}

function compared(study: Study, comparison: StudyComparison, known: Known): MeasuredStatement {
  const { difference, low, high, p, test, reason, shortened, runs } = testComparison(
    comparison,
    known.arms,
    known.userTest,
  );
  const words = comparisonWords(study, comparison, known);
  const undecided = { verdict: 'UNDECIDED' as const, pHolm: null };
  return { report: { words, ...undecided, difference, low, high, p, test, reason, runs: references(runs) }, shortened };
}

/** `OverRec above SkNN in test/ndcg@10 on amazon-beauty`. */
function comparisonWords(study: Study, comparison: StudyComparison, { datasetOf }: Known): string {
  const { metric, belowMetric = metric } = comparison;
  const pairs = pairsOf(comparison);
  const [[above, below] = ['', '']] = pairs;
  const [a, b] = [armByName(study, above), armByName(study, below)];
  const [datasetA, datasetB] = [datasetOf(above), datasetOf(below)];
  const same = datasetA === datasetB;
  const name = (label: string, dataset: string | null) => (same || dataset === null ? label : `${label} (${dataset})`);
  // arms of one label are told apart by their own names
  const labels = a.label === b.label && same && metric === belowMetric ? [a.name, b.name] : [a.label, b.label];
  const place = pairs.length > 1 ? ` over ${pairs.length} pairs` : same && datasetA !== null ? ` on ${datasetA}` : '';
  const measure = metric === belowMetric ? metric : `${metric} against ${belowMetric}`;
  return `${name(labels[0]!, datasetA)} above ${name(labels[1]!, datasetB)} in ${measure}${place}`;
}

function ranged(statement: RangeStatement, known: Known): MeasuredStatement {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, value } = statement;
  const words = `${statement.words} ${rangeWords(statement)}`;
  const report: StatementReport = {
    words,
    verdict: 'UNDECIDED',
    difference: null,
    low: null,
    high: null,
    p: null,
    pHolm: null,
    test: '',
    reason: '',
    runs: [],
  };
  if ('comparison' in value) {
    const { p, reason, shortened, runs } = testComparison(value.comparison, known.arms, known.userTest);
    const inRange = p === null ? null : p >= from && p <= to;
    return { report: { ...report, difference: p, reason, runs: references(runs) }, shortened, inRange };
  }
  const found = measureValue(value, known.arms);
  if ('missing' in found) return { report: { ...report, reason: found.missing }, shortened: false, inRange: null };
  const { mean, standardDeviation, n } = summarizeReplicates([...found.bySeed.values()]);
  const own = { ...report, difference: mean, runs: references(found.runs) };
  const within = mean >= from && mean <= to;
  if (found.deterministic) {
    return { report: { ...own, test: 'one value, without randomness' }, shortened: found.shortened, inRange: within };
  }
  if (standardDeviation === null) {
    return { report: { ...own, reason: 'one seed' }, shortened: found.shortened, inRange: null };
  }
  const reach = (studentQuantile(LEVEL, n - 1) * standardDeviation) / Math.sqrt(n);
  const [low, high] = [mean - reach, mean + reach];
  const inside = low >= from && high <= to;
  const outside = high < from || low > to;
  const test = `95 % interval over ${n} seeds`;
  const reason = inside || outside ? '' : 'the interval reaches over the end of the range';
  return {
    report: { ...own, low, high, test, reason },
    shortened: found.shortened,
    inRange: inside ? true : outside ? false : null,
  };
}

function rangeWords({ from, to }: RangeStatement): string {
  if (from !== undefined && to !== undefined) return `from ${from} to ${to}`;
  return from === undefined ? `at most ${to ?? ''}` : `at least ${from}`;
}

function decided({ report, shortened, inRange }: MeasuredStatement): StatementReport {
  if (report.difference === null) return report;
  if (shortened) return { ...report, reason: SHORTENED };
  if (inRange !== undefined) {
    return inRange === null ? report : { ...report, verdict: inRange ? 'CONFIRMED' : 'REFUTED' };
  }
  if (report.pHolm === null) return report;
  if (report.pHolm > ALPHA) return { ...report, reason: 'p after correction is above 0.05' };
  return { ...report, verdict: report.difference > 0 ? 'CONFIRMED' : 'REFUTED' };
}

function concluded(claim: StudyClaim, statements: StatementReport[]): ClaimReport {
  const { name, text, source, notRunnable } = claim;
  const own = { name, text, source, statements };
  if (notRunnable !== undefined) return { ...own, verdict: 'UNDECIDED', reason: notRunnable };
  const count = (verdict: ClaimVerdict) => statements.filter((statement) => statement.verdict === verdict).length;
  const counts = [
    { count: count('CONFIRMED'), word: 'confirmed' },
    { count: count('REFUTED'), word: 'refuted' },
    { count: count('UNDECIDED'), word: 'undecided' },
  ].filter((one) => one.count > 0);
  const words = counts.map((one) => `${one.count} ${one.word}`).join(', ');
  const isOne = statements.length === 1;
  const told = isOne ? '' : counts.length === 1 ? `all ${words}` : `of ${statements.length}: ${words}`;
  if (count('REFUTED') > 0) return { ...own, verdict: 'REFUTED', reason: told };
  const open = statements.find(({ verdict }) => verdict === 'UNDECIDED');
  if (open === undefined) return { ...own, verdict: 'CONFIRMED', reason: '' };
  return { ...own, verdict: 'UNDECIDED', reason: isOne ? open.reason : `${told}: ${open.reason}` };
}

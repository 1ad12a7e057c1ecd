import { stableHash } from '#src/base/lib/stableHash.ts';
import { armByName } from '#src/catalog/studies/armConfiguration.ts';
import type { RangeStatement, Study, StudyClaim, StudyComparison, StudyStatement } from '#src/catalog/studies/study.ts';
import { holmAdjusted } from '#src/statistics/holm.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { deviationRatioInterval } from '#src/statistics/deviationRatio.ts';
import { parseUserMetricName } from '#src/statistics/userMetricName.ts';
import { studentQuantile } from '#src/statistics/studentQuantile.ts';
import type { ArmRuns } from './armRuns.ts';
import { references } from './cellReport.ts';
import { measureValue } from './measureValue.ts';
import type { ClaimReport, ClaimVerdict, StatementReport } from './studyReport.ts';
import { pairsOf, testComparison, type UserTestOf } from './testComparison.ts';

const ALPHA = 0.05;
const LEVEL = 0.95;
const SHORTENED = 'its runs are shortened, which decides nothing';
const EXTRA = 'the paper does not have this dataset: it is shown, and decides nothing';

interface Known {
  arms: ReadonlyMap<string, ArmRuns>;
  userTest: UserTestOf;
  /** Dataset of an arm, for the words of a statement. */
  datasetOf: (arm: string) => string | null;
  /** Whether the table's own cell of an arm in a metric differs from the printed one. */
  differs: (arm: string, metric: string) => boolean;
}

/**
 * What the runs say of the claims of a study. Holm's correction is over the study's family: all comparisons that its claims state and
 * that can be run, whether they have been or not. A claim is confirmed where all of its statements are, refuted where one of
 * them is; what the paper has not (another dataset) is shown beside them.
 */
export function claimReports(study: Study, known: Known): ClaimReport[] {
  const made = study.claims.map((claim) => ({
    claim,
    statements: claim.statements.map((statement) => measured(study, statement, known)),
  }));
  const stated = new Set<StudyStatement>(familyOf(study, known).comparisons);
  const family = made.flatMap(({ statements }) => statements.filter(({ statement }) => stated.has(statement)));
  // what is not measured yet, or decides nothing, is a test that says nothing, and has its place in the family
  const adjusted = holmAdjusted(
    family.map(({ report, shortened, decides = true }) =>
      shortened || !decides ? Number.NaN : (report.p ?? Number.NaN),
    ),
  );
  for (const [index, { report }] of family.entries()) {
    report.pHolm = Number.isNaN(adjusted[index]!) ? null : adjusted[index]!;
  }
  const isExtra = (statement: StudyStatement) => isOnExtraData(study, statement, known);
  return made.map(({ claim, statements }) =>
    concluded(
      claim,
      statements.map((one) => ({
        report: decided(one, { known, isExtra: isExtra(one.statement), family: family.length }),
        isExtra: isExtra(one.statement),
      })),
    ),
  );
}

/** The tests that are corrected for together: fixed by what the study states, before anything runs. */
export function familyOf(
  study: Study,
  known: Pick<Known, 'datasetOf'>,
): { comparisons: StudyComparison[]; hash: string } {
  const comparisons = study.claims.flatMap(({ statements, notRunnable }) =>
    statements.flatMap((one) => {
      if (!('above' in one) || notRunnable !== undefined || isOnExtraData(study, one, known)) return [];
      return armsOf(one).some((arm) => armByName(study, arm).notRunnable !== undefined) ? [] : [one];
    }),
  );
  return { comparisons, hash: stableHash(comparisons) };
}

/** The arms that a statement is about. */
function armsOf(statement: StudyStatement): string[] {
  if ('above' in statement) return pairsOf(statement).flat();
  const { value } = statement;
  if ('comparison' in value) return pairsOf(value.comparison).flat();
  return 'parts' in value ? value.parts.map(({ arm }) => arm) : [value.arm];
}

function isOnExtraData(study: Study, statement: StudyStatement, { datasetOf }: Pick<Known, 'datasetOf'>): boolean {
  const { extraDatasets = [] } = study;
  return armsOf(statement).some((arm) => extraDatasets.includes(datasetOf(arm) ?? ''));
}

interface MeasuredStatement {
  statement: StudyStatement;
  report: StatementReport;
  shortened: boolean;
  /** Whether a test may decide a claim. */
  decides?: boolean;
  /** Of a comparison: degrees of freedom, and the mean of what is below. */
  df?: number | null;
  belowMean?: number | null;
  /** Of a range: whether the value lies in it; null where that is open. */
  inRange?: boolean | null;
}

function measured(study: Study, statement: StudyStatement, known: Known): MeasuredStatement {
  const own = 'above' in statement ? compared(study, statement, known) : ranged(statement, known);
  return { ...own, statement };
}

type Unnamed = Omit<MeasuredStatement, 'statement'>;

function compared(study: Study, comparison: StudyComparison, known: Known): Unnamed {
  const { difference, low, high, p, test, reason, shortened, runs, ...more } = testComparison(
    comparison,
    known.arms,
    known.userTest,
  );
  const words = comparisonWords(study, comparison, known);
  const undecided = { verdict: 'UNDECIDED' as const, pHolm: null };
  return {
    report: { words, ...undecided, difference, low, high, p, test, reason, runs: references(runs) },
    shortened,
    ...more,
  };
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
  const { words = null } = comparison.size ?? {};
  const size = words === null ? '' : ` ${words}`;
  return `${name(labels[0]!, datasetA)} above ${name(labels[1]!, datasetB)}${size} in ${measure}${place}`;
}

function ranged(statement: RangeStatement, known: Known): Unnamed {
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
  const { deviationsOver } = statement;
  if (deviationsOver !== undefined) {
    const [low, high] = deviationRatioInterval(mean, { n: deviationsOver * n, level: LEVEL });
    const test = `95 % interval by the F distribution, deviations over ${deviationsOver} values${n > 1 ? ` in each of ${n} runs` : ''}`;
    return inInterval({ ...own, low, high, test }, { from, to, shortened: found.shortened });
  }
  if (found.deterministic && isOfUsers(value)) {
    const reason = 'one value of these users and this order of ties, without an interval, decides nothing';
    return {
      report: { ...own, test: 'one value, without randomness', reason },
      shortened: found.shortened,
      inRange: null,
    };
  }
  if (found.deterministic) {
    return { report: { ...own, test: 'one value, without randomness' }, shortened: found.shortened, inRange: within };
  }
  if (standardDeviation === null) {
    return { report: { ...own, reason: 'one seed' }, shortened: found.shortened, inRange: null };
  }
  const reach = (studentQuantile(LEVEL, n - 1) * standardDeviation) / Math.sqrt(n);
  const [low, high] = [mean - reach, mean + reach];
  const test = `95 % interval over ${n} seeds`;
  return inInterval({ ...own, low, high, test }, { from, to, shortened: found.shortened });
}

function inInterval(
  report: StatementReport,
  { from, to, shortened }: { from: number; to: number; shortened: boolean },
): Unnamed {
  const [low, high] = [report.low ?? Number.NaN, report.high ?? Number.NaN];
  const inside = low >= from && high <= to;
  const outside = high < from || low > to;
  const reason = inside || outside ? '' : 'the interval reaches over the end of the range';
  return { report: { ...report, reason }, shortened, inRange: inside ? true : outside ? false : null };
}

function isOfUsers(value: RangeStatement['value']): boolean {
  if ('comparison' in value) return false;
  return ('parts' in value ? value.parts : [value]).some(({ metric }) => parseUserMetricName(metric) !== null);
}

function rangeWords({ from, to }: RangeStatement): string {
  if (from !== undefined && to !== undefined) return `from ${from} to ${to}`;
  return from === undefined ? `at most ${to ?? ''}` : `at least ${from}`;
}

interface Deciding {
  known: Known;
  isExtra: boolean;
  /** Tests of the study. */
  family: number;
}

function decided(measuredOne: MeasuredStatement, { known, isExtra, family }: Deciding): StatementReport {
  const { statement, report, shortened, decides = true, inRange } = measuredOne;
  if (report.difference === null) return report;
  if (isExtra) return { ...report, reason: EXTRA };
  if (shortened) return { ...report, reason: SHORTENED };
  if (inRange !== undefined) {
    return inRange === null ? report : { ...report, verdict: inRange ? 'CONFIRMED' : 'REFUTED' };
  }
  if (report.pHolm === null || !decides || !('above' in statement)) return report;
  const { metric, belowMetric = metric, below } = statement;
  const baselines = typeof below === 'string' ? [below] : below;
  if (baselines.some((arm) => known.differs(arm, belowMetric))) {
    return { ...report, reason: 'the baseline is not the paper’s: its own cell differs from the printed one' };
  }
  if (report.pHolm > ALPHA) return { ...report, reason: 'p after correction is above 0.05' };
  if (report.difference < 0) return { ...report, verdict: 'REFUTED' };
  return statement.size === undefined
    ? { ...report, verdict: 'CONFIRMED' }
    : ofSize(report, { ...statement.size, ...measuredOne, family });
}

/** Whether a difference that is there has the size that the paper says: by its interval, widened for all tests of the study. */
function ofSize(
  report: StatementReport,
  {
    from = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
    words,
    df = null,
    belowMean = null,
    family,
  }: NonNullable<StudyComparison['size']> & Pick<MeasuredStatement, 'df' | 'belowMean'> & { family: number },
): StatementReport {
  const { difference, low, high } = report;
  if (difference === null || low === null || high === null || df === null || belowMean === null) return report;
  const wider = studentQuantile(1 - ALPHA / Math.max(1, family), df) / studentQuantile(LEVEL, df);
  const [least, most] = [
    (difference - (difference - low) * wider) / belowMean,
    (difference + (high - difference) * wider) / belowMean,
  ];
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
  const told = `it is above by ${percent(least)} to ${percent(most)}`;
  if (least >= from && most <= to) return { ...report, verdict: 'CONFIRMED', reason: told };
  const reason = `${told}, which is not “${words}” as it is taken here`;
  return { ...report, verdict: most < from || least > to ? 'REFUTED' : 'UNDECIDED', reason };
}

function concluded(claim: StudyClaim, shown: readonly { report: StatementReport; isExtra: boolean }[]): ClaimReport {
  const { name, text, source, notRunnable } = claim;
  const own = { name, text, source, statements: shown.map(({ report }) => report) };
  const statements = shown.filter(({ isExtra }) => !isExtra).map(({ report }) => report);
  if (statements.length === 0 && notRunnable === undefined) return { ...own, verdict: 'UNDECIDED', reason: EXTRA };
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

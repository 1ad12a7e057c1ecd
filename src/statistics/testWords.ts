import type { DifferenceTest } from './differenceTest.ts';
import { LEAST_SEEDS } from './verdict.ts';

/** What was tested over. */
export interface TestedValues {
  /** Pairs of seeds or users; users of the mixed model. */
  n: number;
  seeds: readonly number[];
  baselineSeeds: readonly number[];
}

/** A test in words: `mixed model of 5 and 5 seeds and 22,363 users`. */
export function testWords(
  method: DifferenceTest['method'],
  { n, seeds, baselineSeeds }: TestedValues,
  { perUser = false }: { perUser?: boolean } = {},
): string {
  const users = `${n.toLocaleString('en')} users`;
  const [ours, theirs] = [seeds.length, baselineSeeds.length];
  if (method === 'crossed') return `mixed model of ${ours} and ${theirs} seeds and ${users}`;
  if (method === 'welch') return `Welch’s t-test, ${ours} and ${theirs} seeds`;
  if (!perUser) return `paired t-test, ${n} seeds`;
  return `paired t-test over ${users}${ours > 1 || theirs > 1 ? `, means of ${ours} and ${theirs} seeds` : ''}`;
}

/** What the columns of tests mean, and what may be said by them. */
export function testsLegend(perUser: boolean): string {
  const over = perUser
    ? `Over users; with ${LEAST_SEEDS} seeds or more of every trained method by a mixed model of seeds and users, which speaks of other seeds and other users. With fewer seeds pairs are users, and “these two trained models differ” is all that a test can say`
    : 'Pairs are the seeds that both have; without two of them it is Welch’s test. It speaks of other seeds on these same users';
  return `${over}. Difference from the baseline with its 95 % interval; p two-sided, better one-sided, Wilcoxon two-sided; Holm’s correction is over all tests shown, metrics and cut-offs included. Verdicts are at 0.05.`;
}

/** What a sequential test of seeds cannot promise: told where one is started. */
export const DECISION_CAUTION =
  'The boundaries hold where differences by seed are about normal: very skewed ones are called different in 13 to 17 % of cases where there is none. With three seeds of both, the test over users speaks of other seeds and other users.';

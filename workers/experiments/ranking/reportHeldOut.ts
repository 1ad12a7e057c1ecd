import { PER_USER_FILES } from '../../../src/contracts/perUserArtifact.ts';
import { encodeNpy } from '../../data/npyFile.ts';
import type { OrderedSplit } from '../../data/orderedSplit.ts';
import type { HeldOut } from '../../evaluation/heldOut.ts';
import type { HeldOutLists } from '../../evaluation/heldOutLists.ts';
import { meanTopNMetrics, TOP_N_METRICS, type TopNMetrics } from '../../evaluation/hitMetrics.ts';
import { itemPopularity } from '../../evaluation/itemPopularity.ts';
import { listMetrics } from '../../evaluation/listMetrics.ts';
import { lengthGroups, tailUsers } from '../../evaluation/userGroups.ts';
import type { Reporter } from '../experiment.ts';

export interface HeldOutReport {
  split: OrderedSplit;
  part: HeldOut;
  lists: HeldOutLists;
  cutoffs: readonly number[];
  step: number;
}

/** Metrics of groups of users, and of each user by itself. */
const SHORT = ['hr', 'f1', 'ndcg'] as const;

/**
 * Reports what the lists for the test parts tell, as `test/…` at `step`: means over users of `hr@N`, `precision@N`,
 * `recall@N`, `f1@N` (each user's own), `mrr@N`, `ndcg@N`, `map@N`; coverage, novelty, popularity bias and Gini coefficient of
 * the lists; hr, f1 and ndcg of the tail, the 25 % of users with fewest interactions (LEPORID, Tables 2 and 5), and of users by
 * the length of their history: `test/tail/hr@10`. Leaves every user's hr, f1 and ndcg as an artifact, for paired tests.
 */
export function reportHeldOut(reporter: Reporter, report: HeldOutReport): void {
  const { split, part, lists, cutoffs, step } = report;
  const { dataset } = split;
  const perUser = cutoffs.map((cutoff) => lists.metrics(cutoff));
  const say = (name: string, value: number): void => reporter.metric(`test/${name}`, step, value);
  for (const [at, cutoff] of cutoffs.entries()) {
    const mean = meanTopNMetrics(perUser[at]!);
    for (const name of TOP_N_METRICS) say(`${name}@${cutoff}`, mean[name]);
  }
  reportLists(report, say);
  const interactions = Uint32Array.from(part.users, (user) => dataset.offsets[user + 1]! - dataset.offsets[user]!);
  const known = Uint32Array.from(part.users, (_, index) => part.history(index).length);
  const groups = [tailUsers(interactions), ...lengthGroups(known)].filter(({ members }) => members.length > 0);
  for (const { name: group, members } of groups) {
    for (const [at, cutoff] of cutoffs.entries()) {
      const mean = meanTopNMetrics(Array.from(members, (user) => perUser[at]![user]!));
      for (const name of SHORT) say(`${group}/${name}@${cutoff}`, mean[name]);
    }
  }
  reporter.note('userGroups', Object.fromEntries(groups.map(({ name, members }) => [name, members.length])));
  reporter.note('tieRule', 'equal scores go to the lowest item number');
  leaveUserMetrics(reporter, report, perUser);
}

function reportLists({ split, part, lists, cutoffs }: HeldOutReport, say: (name: string, value: number) => void): void {
  const popularity = itemPopularity(split);
  const { offsets, items, userCount } = split.dataset;
  const profilePopularity = Float64Array.from(part.users, (user) => {
    const profile = items.subarray(offsets[user]!, split.trainEnd[user]!);
    return profile.reduce((sum, item) => sum + popularity[item]!, 0) / profile.length;
  });
  for (const cutoff of cutoffs) {
    const found = listMetrics(lists, cutoff, { popularity, userCount, profilePopularity });
    say(`coverage@${cutoff}`, found.coverage);
    say(`novelty@${cutoff}`, found.novelty);
    say(`popularity-bias@${cutoff}`, found.popularityBias);
    say(`gini@${cutoff}`, found.gini);
  }
}

/** `per-user-metrics.npy`, (users, cut-offs × metrics), float32; `per-user-metrics.json` names rows and columns. */
function leaveUserMetrics(
  reporter: Reporter,
  { split, part, cutoffs }: HeldOutReport,
  perUser: readonly (readonly TopNMetrics[])[],
): void {
  const columns = cutoffs.flatMap((cutoff) => SHORT.map((name) => `${name}@${cutoff}`));
  const values = Float32Array.from({ length: part.users.length * columns.length }, (_, at) => {
    const [user, column] = [Math.floor(at / columns.length), at % columns.length];
    return perUser[Math.floor(column / SHORT.length)]![user]![SHORT[column % SHORT.length]!];
  });
  const bytes = encodeNpy(values, [part.users.length, columns.length]);
  const files = PER_USER_FILES.metrics;
  reporter.artifact(files.table, bytes, 'application/octet-stream');
  const { name: dataset, fingerprint, userIds } = split.dataset;
  const description = { dataset, fingerprint, columns, users: Array.from(part.users, (user) => userIds[user]!) };
  reporter.artifact(files.description, new TextEncoder().encode(JSON.stringify(description)), 'application/json');
}

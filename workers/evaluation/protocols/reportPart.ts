import { RANKING_METRIC_NAMES, type RankingMetricName } from '#src/catalog/rankingMetrics.ts';
import { PER_USER_FILES } from '#src/base/contracts/perUserArtifact.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { firstTargets, type HeldOut } from '../ranking/heldOut.ts';
import { meanTopNMetrics, type TopNMetrics } from '../ranking/hitMetrics.ts';
import { itemPopularity } from '../ranking/itemPopularity.ts';
import { listMetrics } from '../ranking/listMetrics.ts';
import { userMetrics } from '../ranking/partRanking.ts';
import { tieShare } from '../ranking/rankedUsers.ts';
import { lengthGroups, tailUsers, targetGroups, type UserGroup } from '../ranking/userGroups.ts';
import type { CutoffRanking, EvaluationReporter } from './protocol.ts';

export interface PartReport {
  /** In the names of metrics. */
  name: 'valid' | 'test';
  part: HeldOut;
  rankings: readonly CutoffRanking[];
  step: number;
}

/** Metrics of groups of users, and of each user by itself. */
const SHORT = ['hr', 'f1', 'ndcg'] as const satisfies readonly RankingMetricName[];
/** Reported first. */
const FIRST = ['mrr', 'ndcg', 'hr'] as const satisfies readonly RankingMetricName[];
const NPY = 'application/octet-stream';

type Say = (name: string, value: number) => void;

/**
 * Reports all that rankings of a part tell, as `test/…` (or `valid/…`) at `step`: each metric as a mean over users; coverage,
 * novelty, popularity bias and Gini coefficient of the lists; hr, f1 and ndcg of groups of users, `test/tail/ndcg@10`. Leaves
 * what concerns each user as an artifact, for paired tests: the ranks of single targets, else hr, f1 and ndcg.
 */
export function reportPart(reporter: EvaluationReporter, report: PartReport): void {
  const { name, part, rankings, step } = report;
  const say: Say = (metric, value) => reporter.metric(`${name}/${metric}`, step, value);
  const perUser = rankings.map(({ cutoff, ranked }) => userMetrics(part, ranked, cutoff));
  const means = perUser.map((users) => meanTopNMetrics(users));
  const others = RANKING_METRIC_NAMES.filter((metric) => !FIRST.some((first) => first === metric));
  for (const metrics of [FIRST, others]) {
    for (const [at, { cutoff }] of rankings.entries()) {
      for (const metric of metrics) say(`${metric}@${cutoff}`, means[at]![metric]);
    }
  }
  reportLists(reporter, report, say);
  const groups = groupsOf(part).filter(({ members }) => members.length > 0);
  for (const { name: group, members } of groups) {
    for (const [at, { cutoff }] of rankings.entries()) {
      const mean = meanTopNMetrics(Array.from(members, (user) => perUser[at]![user]!));
      for (const metric of SHORT) say(`${group}/${metric}@${cutoff}`, mean[metric]);
    }
  }
  reporter.note('userGroups', Object.fromEntries(groups.map((group) => [group.name, group.members.length])));
  if (part.isSingle) leaveUserRanks(reporter, report);
  else if (name === 'test') leaveUserMetrics(reporter, report, perUser);
}

/** What the lists are like, and how far the tie rule decides. */
function reportLists(reporter: EvaluationReporter, { part, rankings }: PartReport, say: Say): void {
  const { dataset, trainEnd } = part.split;
  const { offsets, items, userCount } = dataset;
  const popularity = itemPopularity(part.split);
  const profilePopularity = Float64Array.from(part.users, (user) => {
    const profile = items.subarray(offsets[user]!, trainEnd[user]!);
    return profile.reduce((sum, item) => sum + popularity[item]!, 0) / profile.length;
  });
  const ties: Record<string, number> = {};
  const filled: Record<string, number> = {};
  for (const { cutoff, ranked } of rankings) {
    const lists = listMetrics(ranked, cutoff, { popularity, userCount, profilePopularity });
    filled[`@${cutoff}`] = lists.filled;
    say(`coverage@${cutoff}`, lists.coverage);
    say(`novelty@${cutoff}`, lists.novelty);
    say(`popularity-bias@${cutoff}`, lists.popularityBias);
    say(`gini@${cutoff}`, lists.gini);
    if (!part.isSingle) continue;
    const share = tieShare(ranked, cutoff);
    ties[`@${cutoff}`] = share;
    if (share === 0) continue;
    const percent = (100 * share).toFixed(1);
    reporter.log('info', `for ${percent} % of the users a tie decides on a hit @${cutoff}: the lowest item wins`);
  }
  reporter.note('tieRule', 'equal scores go to the lowest item number');
  if (part.isSingle) reporter.note('tieShare', ties);
  reporter.note('filledPlaces', filled);
}

function groupsOf(part: HeldOut): UserGroup[] {
  const { dataset, trainEnd } = part.split;
  const interactions = part.users.map((user) => dataset.offsets[user + 1]! - dataset.offsets[user]!);
  const known = part.users.map((_, index) => part.history(index).length);
  const groups = [tailUsers(interactions), ...lengthGroups(known)];
  if (!part.isSingle) return groups;
  return [...groups, ...targetGroups(firstTargets(part), itemPopularity({ dataset, trainEnd }))];
}

/**
 * `per-user-ranks.npy`, (users, cut-offs): the 1-based rank of each user's target in the ranking of each cut-off, 0 where it
 * has none, so that runs can be compared user by user; `per-user-ranks.json` names rows and columns, and says
 * of each user how long the history and how popular the target is.
 */
function leaveUserRanks(reporter: EvaluationReporter, { name, part, rankings }: PartReport): void {
  const users = part.users.length;
  const ranks = new Int32Array(users * rankings.length);
  for (const [column, { ranked }] of rankings.entries()) {
    for (let row = 0; row < users; row++) ranks[row * rankings.length + column] = ranked.ranks[row]!;
  }
  const files = PER_USER_FILES.ranks;
  reporter.artifact(files.table, encodeNpy(ranks, [users, rankings.length]), NPY);
  const cutoffs = rankings.map(({ cutoff }) => cutoff);
  const popularity = itemPopularity(part.split);
  const targetPopularities = Array.from(firstTargets(part), (item) => popularity[item]!);
  leaveDescription(reporter, files.description, { part, what: { part: name, cutoffs, targetPopularities } });
}

/** `per-user-metrics.npy`, (users, cut-offs × metrics), float32; `per-user-metrics.json` names rows and columns. */
function leaveUserMetrics(
  reporter: EvaluationReporter,
  { part, rankings }: PartReport,
  perUser: readonly (readonly TopNMetrics[])[],
): void {
  const columns = rankings.flatMap(({ cutoff }) => SHORT.map((metric) => `${metric}@${cutoff}`));
  const values = Float32Array.from({ length: part.users.length * columns.length }, (_, at) => {
    const [user, column] = [Math.floor(at / columns.length), at % columns.length];
    return perUser[Math.floor(column / SHORT.length)]![user]![SHORT[column % SHORT.length]!];
  });
  const files = PER_USER_FILES.metrics;
  reporter.artifact(files.table, encodeNpy(values, [part.users.length, columns.length]), NPY);
  leaveDescription(reporter, files.description, { part, what: { columns } });
}

function leaveDescription(
  reporter: EvaluationReporter,
  file: string,
  { part, what }: { part: HeldOut; what: Record<string, unknown> },
): void {
  const { name: dataset, fingerprint, userIds } = part.split.dataset;
  const users = Array.from(part.users, (user) => userIds[user]!);
  const historyLengths = Array.from(part.users, (_, index) => part.history(index).length);
  const text = JSON.stringify({ dataset, fingerprint, ...what, users, historyLengths });
  reporter.artifact(file, new TextEncoder().encode(text), 'application/json');
}

import { PER_USER_FILES } from '../../../src/contracts/perUserArtifact.ts';
import type { LeaveOneOut } from '../../data/leaveOneOut.ts';
import { encodeNpy } from '../../data/npyFile.ts';
import { itemPopularity } from '../../evaluation/itemPopularity.ts';
import { listMetrics } from '../../evaluation/listMetrics.ts';
import { type RankedUsers, tieShare } from '../../evaluation/rankedUsers.ts';
import { rankingMetrics, singleTargetMetrics } from '../../evaluation/rankingMetrics.ts';
import { lengthGroups, tailUsers, targetGroups, type UserGroup } from '../../evaluation/userGroups.ts';
import type { Reporter } from '../experiment.ts';

/** The ranking that the metrics of one cut-off are made from; most kinds have one for all cut-offs. */
export interface CutoffRanking {
  cutoff: number;
  ranked: RankedUsers;
}

export interface RankingReport {
  rankings: readonly CutoffRanking[];
  /** Which item of each user was the target. */
  part: 'test' | 'valid';
  step: number;
}

/** Metrics that are reported for groups of users, too. */
const GROUP_METRICS = ['ndcg', 'hr'] as const;

/**
 * Reports all that rankings of the evaluated users tell, as `test/…` (or `valid/…`) at `step`: `mrr@N`, `ndcg@N`, `hr@N` and
 * the set metrics; coverage, novelty, popularity bias and Gini coefficient of the lists; ndcg and hit rate of groups of users,
 * `test/tail/ndcg@10`. Notes the share of ties and the sizes of the groups, and leaves every user's rank as an artifact.
 */
export function reportRanking(split: LeaveOneOut, reporter: Reporter, report: RankingReport): void {
  const { rankings, part, step } = report;
  const say = (metrics: Record<string, number>, group = ''): void => {
    for (const [name, value] of Object.entries(metrics)) reporter.metric(`${part}/${group}${name}`, step, value);
  };
  const accuracy = rankings.map(({ cutoff, ranked }) => rankingMetrics(ranked.ranks, [cutoff]));
  for (const metrics of accuracy) say(metrics);
  for (const [at, { cutoff }] of rankings.entries()) say(singleTargetMetrics(accuracy[at]!, cutoff));
  reportLists(split, reporter, { report, say });
  const groups = groupsOf(split, part).filter(({ members }) => members.length > 0);
  for (const { name, members } of groups) {
    for (const { cutoff, ranked } of rankings) {
      const metrics = rankingMetrics(
        Int32Array.from(members, (user) => ranked.ranks[user]!),
        [cutoff],
      );
      const kept = GROUP_METRICS.map((metric) => [`${metric}@${cutoff}`, metrics[`${metric}@${cutoff}`]!]);
      say(Object.fromEntries(kept), `${name}/`);
    }
  }
  reporter.note('userGroups', Object.fromEntries(groups.map(({ name, members }) => [name, members.length])));
  leaveUserRanks(split, reporter, report);
}

/** What the lists are like, and how far the tie rule decides. */
function reportLists(
  split: LeaveOneOut,
  reporter: Reporter,
  { report, say }: { report: RankingReport; say: (metrics: Record<string, number>) => void },
): void {
  const popularity = itemPopularity(split);
  const { offsets, items, userCount } = split.dataset;
  const profilePopularity = Float64Array.from(split.evaluatedUsers, (user) => {
    let sum = 0;
    for (let at = offsets[user]!; at < split.trainEnd[user]!; at++) sum += popularity[items[at]!]!;
    return sum / (split.trainEnd[user]! - offsets[user]!);
  });
  const ties: Record<string, number> = {};
  const filled: Record<string, number> = {};
  for (const { cutoff, ranked } of report.rankings) {
    const lists = listMetrics(ranked, cutoff, { popularity, userCount, profilePopularity });
    ties[`@${cutoff}`] = tieShare(ranked, cutoff);
    filled[`@${cutoff}`] = lists.filled;
    say({
      [`coverage@${cutoff}`]: lists.coverage,
      [`novelty@${cutoff}`]: lists.novelty,
      [`popularity-bias@${cutoff}`]: lists.popularityBias,
      [`gini@${cutoff}`]: lists.gini,
    });
    if (ties[`@${cutoff}`]! > 0) {
      const percent = (100 * ties[`@${cutoff}`]!).toFixed(1);
      reporter.log('info', `for ${percent} % of the users a tie decides on a hit @${cutoff}: the lowest item wins`);
    }
  }
  reporter.note('tieRule', 'equal scores go to the lowest item number');
  reporter.note('tieShare', ties);
  reporter.note('filledPlaces', filled);
}

function groupsOf({ dataset, evaluatedUsers, ...split }: LeaveOneOut, part: RankingReport['part']): UserGroup[] {
  const interactions = Uint32Array.from(evaluatedUsers, (user) => dataset.offsets[user + 1]! - dataset.offsets[user]!);
  const known = interactions.map((count) => (part === 'test' ? count - 1 : count - 2));
  const targets = part === 'test' ? split.test : split.validation;
  const popularity = itemPopularity({ dataset, trainEnd: split.trainEnd });
  return [
    tailUsers(interactions),
    ...lengthGroups(known),
    ...targetGroups(
      Uint32Array.from(evaluatedUsers, (user) => targets[user]!),
      popularity,
    ),
  ];
}

/**
 * `per-user-ranks.npy`, (users, cut-offs): the 1-based rank of each user's target in the ranking of each cut-off, 0 where it
 * has none, so that runs can be compared user by user; `per-user-ranks.json` names rows and columns.
 */
function leaveUserRanks(split: LeaveOneOut, reporter: Reporter, { rankings, part }: RankingReport): void {
  const users = split.evaluatedUsers;
  const ranks = new Int32Array(users.length * rankings.length);
  for (const [column, { ranked }] of rankings.entries()) {
    for (let row = 0; row < users.length; row++) ranks[row * rankings.length + column] = ranked.ranks[row]!;
  }
  const files = PER_USER_FILES.ranks;
  reporter.artifact(files.table, encodeNpy(ranks, [users.length, rankings.length]), 'application/octet-stream');
  const description = {
    dataset: split.dataset.name,
    fingerprint: split.dataset.fingerprint,
    part,
    cutoffs: rankings.map(({ cutoff }) => cutoff),
    users: Array.from(users, (user) => split.dataset.userIds[user]!),
  };
  reporter.artifact(files.description, new TextEncoder().encode(JSON.stringify(description)), 'application/json');
}

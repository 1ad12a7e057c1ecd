import { metricDirection } from '#src/catalog/metricDirection.ts';
import { findKind } from '#src/catalog/kinds.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { parseUserMetricName } from '#src/statistics/userMetricName.ts';
import { headlineOf } from '#src/base/lib/headlineMetrics.ts';
import { formatSeedList } from '#src/base/lib/seedList.ts';
import { nearNames } from '#src/base/lib/nearNames.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import type { ComparedMetric, Comparison, ReplicateGroup } from './compareRuns.ts';
import { corrected, type MetricTests } from '#src/runs/configurationTest.ts';
import { seedTest } from './seedTests.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { userTests } from './userTests.ts';

export interface PairedTestsInput {
  /**
   * At most 50, per user 20; without them the primary metrics of the compared kinds; for programs of one's own those of `test/`, else
   * the one that tells most of a run. Per user also those that nobody logged: any cut-off and group of users, `test/length-5-9/ndcg@7`, `test/popularity-100-up/hr@20`.
   */
  metrics?: readonly string[] | null | undefined;
  /** Id or number of a compared run, whose configuration is the baseline; the first run's without it. */
  baseline?: string | null | undefined;
  /** Pairs of users instead of seeds. */
  perUser?: boolean | undefined;
  /** Ends tests over users when it is aborted. */
  signal?: AbortSignal | undefined;
}

const MOST_METRICS = 50;
const MOST_PER_USER = 20;
/** Metrics tested where the kinds name none. */
const MOST_BY_DEFAULT = 12;

/**
 * Whether each other configuration of a comparison is better than the baseline: tests over the seeds that both share, or over users
 * and seeds, corrected for all of them, configurations and metrics, where there are several. Runs of one configuration
 * are compared with each other, the later half with the first: it tells how often a test finds what is not there. What
 * cannot be tested says why.
 * @throws WarrenError BAD_INPUT for fewer than two runs, a metric that no run has, too many of them, or a baseline
 * that is not among the runs.
 */
export async function pairedTests(
  context: Pick<ServiceContext, 'db'> & { artifacts: ArtifactStore },
  comparison: Comparison,
  { metrics: wanted, baseline: reference, perUser = false, signal }: PairedTestsInput,
): Promise<MetricTests[]> {
  const named = baselineOf(comparison, reference ?? null);
  const itself = comparison.groups.length === 1 ? halves(comparison, named) : null;
  const baseline = itself?.baseline ?? named;
  const groups = itself === null ? comparison.groups.filter((group) => group !== baseline) : [itself.group];
  const metrics = chosenMetrics(comparison, wanted ?? null, perUser);
  const tests = perUser
    ? await userTests(context, comparison, { groups, baseline, metrics, signal })
    : new Map(
        metrics.map((metric) => [metric, groups.map((group) => seedTest(comparison, { group, baseline }, metric))]),
      );
  const baselineHash = baseline.configuration.hash;
  const familyOf = corrected(metrics.flatMap((metric) => tests.get(metric)!.map((test) => ({ ...test, metric }))));
  return metrics.map((metric) => {
    const { name, direction } = metric;
    const { rules, chosenOnTest } = perUser ? { rules: ['last'], chosenOnTest: false } : metric;
    const own = familyOf.filter((test) => test.metric === metric).map(({ metric: _, ...test }) => test);
    return {
      ...{ name, direction, rules, chosenOnTest, baselineHash },
      tests: own.map((test) => ({
        ...test,
        reason:
          itself === null || test.reason === null ? (itself?.words ?? test.reason) : `${itself.words}; ${test.reason}`,
      })),
    };
  });
}

/** A configuration against itself: the later half of its seeds against the first. */
function halves(
  { runs }: Comparison,
  { configuration, metrics, runIds }: ReplicateGroup,
): { group: ReplicateGroup; baseline: ReplicateGroup; words: string } {
  const members = runs.filter(({ id }) => runIds.includes(id)).sort((a, b) => a.seed - b.seed || a.number - b.number);
  if (members.length < 2) throw badInput('a test compares two runs or more, received one', 'ids');
  const half = Math.floor(members.length / 2);
  const groupOf = (some: typeof members): ReplicateGroup => ({
    ...{ configuration, metrics },
    runIds: some.map(({ id }) => id),
    seeds: some.map(({ seed }) => seed),
  });
  const [baseline, group] = [groupOf(members.slice(0, half)), groupOf(members.slice(half))];
  const words = `one configuration against itself, seeds ${formatSeedList(group.seeds)} against ${formatSeedList(baseline.seeds)}: what is found here is chance`;
  return { group, baseline, words };
}

function baselineOf({ runs, groups }: Comparison, reference: string | null): ReplicateGroup {
  const wanted = reference?.replace(/^#/, '').toLowerCase();
  const run =
    wanted === undefined ? runs[0] : runs.find(({ id, number }) => id === wanted || String(number) === wanted);
  const group = groups.find(({ runIds }) => run !== undefined && runIds.includes(run.id));
  if (group !== undefined) return group;
  const numbers = runs.map(({ number }) => number).join(', ');
  throw badInput(
    `baseline: "${reference?.slice(0, 80)}" is not among the compared runs; expected one of ${numbers}`,
    'baseline',
  );
}

/** Of the metrics that two configurations have, where there are any: nothing can be said of one that only one has. */
function defaultMetrics({ metrics: all, groups, runs }: Comparison): ComparedMetric[] {
  const place = new Map(runs.map(({ id }, index) => [id, index]));
  const holders = ({ final }: ComparedMetric) =>
    groups.filter(({ runIds }) => runIds.some((id) => final[place.get(id) ?? -1] != null)).length;
  const shared = all.filter((metric) => holders(metric) > 1);
  const metrics = shared.length > 0 ? shared : all;
  const primary = new Set(groups.map(({ configuration }) => findKind(configuration.kind)?.primaryMetric));
  const found = metrics.filter(({ name }) => primary.has(name));
  const tested = metrics.filter(({ name, direction }) => name.startsWith('test/') && direction !== null);
  const chosen = found.length > 0 ? found : tested.slice(0, MOST_BY_DEFAULT);
  if (chosen.length > 0) return chosen;
  const telling = mostTelling(metrics);
  if (telling !== null) return [telling];
  throw badInput('metrics: the compared runs have none that tells how good they are; choose some', 'metrics');
}

/** The metric that tells most of runs whose kinds name none: of those that are known to be better one way, if there are any. */
function mostTelling(metrics: readonly ComparedMetric[]): ComparedMetric | null {
  const namesOf = (some: readonly ComparedMetric[]) => some.map(({ name }) => name);
  const judged = metrics.filter(({ direction }) => direction !== null);
  const headline = headlineOf(namesOf(judged), null) ?? headlineOf(namesOf(metrics), null);
  return metrics.find(({ name }) => name === headline) ?? null;
}

function chosenMetrics(comparison: Comparison, wanted: readonly string[] | null, perUser: boolean): ComparedMetric[] {
  if (wanted === null) return defaultMetrics(comparison);
  const { metrics, runs } = comparison;
  const names = [...new Set(wanted)];
  const most = perUser ? MOST_PER_USER : MOST_METRICS;
  if (names.length === 0 || names.length > most) {
    throw badInput(`metrics: expected 1 to ${most} metrics, received ${names.length}`, 'metrics');
  }
  return names.map((name) => {
    const metric = metrics.find((one) => one.name === name);
    if (metric !== undefined) return metric;
    if (perUser && parseUserMetricName(name) !== null) {
      const nobodyLogged = runs.map(() => null);
      const nothing = { final: nobodyLogged, best: nobodyLogged, rules: [], chosenOnTest: false };
      return { name, direction: metricDirection(name), ...nothing };
    }
    const known = metrics.map((one) => one.name);
    const near = nearNames(name, known);
    const advice =
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : `they have ${known.slice(0, 10).join(', ') || 'none'}`;
    throw badInput(`metrics: no compared run has "${name.slice(0, 80)}"; ${advice}`, 'metrics');
  });
}

import { OWN_PROGRAMS } from '#src/base/lib/headlineMetrics.ts';
import type { RunRow } from './useRuns.ts';
import { configurationValue } from '#web/lib/runColumn.ts';
import type { FirstRuns } from './columnChoice.ts';

const COMMAND = 'parameters.command';
const CODE = 'parameters.code';

/** So many runs of a table decide which columns it has: those of the first page. */
export const FIRST_RUNS = 100;

/**
 * What the first runs of a table have. Where they are alike, the parameters in which runs of the project differ tell nothing.
 * @param varying Paths in which runs of the project differ.
 */
export function firstRunsOf(runs: readonly RunRow[], varying: readonly string[]): FirstRuns {
  const first = runs.slice(0, FIRST_RUNS);
  const counts = new Map<string, number>();
  const having = new Map<string, number>();
  for (const { name } of first.flatMap(({ metrics }) => metrics)) having.set(name, (having.get(name) ?? 0) + 1);
  for (const { configuration } of first) counts.set(configuration.kind, (counts.get(configuration.kind) ?? 0) + 1);
  return {
    kinds: [...counts].sort(([a, more], [b, other]) => other - more || (a < b ? -1 : 1)).map(([kind]) => kind),
    hasDataset: first.some(({ configuration }) => configuration.datasetName !== null),
    severalUsers: new Set(first.map(({ user }) => user)).size > 1,
    metrics: new Set(having.keys()),
    commonMetrics: new Set([...having].flatMap(([name, count]) => (count * 2 >= first.length ? [name] : []))),
    ownMetrics: ownMetricsOf(first),
    varying: new Set(tellingPaths(first, varying)),
  };
}

/** The paths at which the runs differ; the command only where some runs that are alike in name and all else differ in it. */
export function tellingPaths(
  runs: readonly Pick<RunRow, 'name' | 'configuration'>[],
  paths: readonly string[],
): string[] {
  const textAt = (run: Pick<RunRow, 'configuration'>, path: string) =>
    JSON.stringify(configurationValue(run.configuration, path));
  const differing = paths.filter((path) => new Set(runs.map((run) => textAt(run, path))).size > 1);
  const others = differing.filter((path) => path !== COMMAND && path !== CODE);
  const commands = new Map<string, Set<string | undefined>>();
  for (const run of runs) {
    const key = JSON.stringify([run.name, ...others.map((path) => textAt(run, path))]);
    commands.set(key, (commands.get(key) ?? new Set()).add(textAt(run, COMMAND)));
  }
  const isNeeded = [...commands.values()].some((some) => some.size > 1);
  return differing.filter((path) => path !== COMMAND || isNeeded);
}

/** Metrics of which a run of a program of one's own has a value. */
export function ownMetricsOf(
  runs: readonly { configuration: { kind: string }; metrics: readonly { name: string }[] }[],
): ReadonlySet<string> {
  const own = runs.filter(({ configuration }) => OWN_PROGRAMS.has(configuration.kind));
  return new Set(own.flatMap(({ metrics }) => metrics.map(({ name }) => name)));
}

/** As one text, so that runs that change leave the columns alone as long as they have the same. */
export function firstRunsText(first: FirstRuns): string {
  const { kinds, hasDataset, severalUsers, metrics, commonMetrics, ownMetrics, varying } = first;
  return JSON.stringify([
    kinds,
    hasDataset,
    severalUsers,
    [...metrics].sort(),
    [...commonMetrics].sort(),
    [...ownMetrics].sort(),
    [...varying],
  ]);
}

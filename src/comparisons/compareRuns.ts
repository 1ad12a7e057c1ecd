import type { MetricDirection } from '#src/catalog/kind.ts';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { isChosenOnTest } from '#src/base/lib/valueRules.ts';
import { canonicalJson } from '#src/base/lib/stableHash.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { type ConfigurationRecord, findConfigurations } from '#src/runs/store/configurationRecord.ts';
import { measureConfigurations } from '#src/base/database/measureRows.ts';
import type { MetricDefinitionRecord } from '#src/metrics/store/metricDefinition.ts';
import { countSeries, listSeries, type SeriesRecord } from '#src/metrics/store/metricSeries.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { agreedDirection } from '#src/metrics/metricDefinitions.ts';
import { definitionsByRun, type SeriesValues, type ValueChoice, valuesOfSeries } from '#src/metrics/valuesOfSeries.ts';
import { resolveRuns, whyNoRun } from '#src/runs/findRun.ts';
import { configurationsByRun } from '#src/runs/programParameters.ts';
import { flattenConfiguration } from '#src/runs/flattenConfiguration.ts';

import { repeatingFields } from './repeatedValues.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface ConfigurationField {
  /** `kind`, `dataset.name`, `parameters.sigmaW`, `seed`. */
  path: string;
  /** One per run, in their order; null where absent. */
  values: unknown[];
  differs: boolean;
}

export interface ComparedMetric {
  name: string;
  direction: MetricDirection | null;
  /** The value that stands for it, by `rules`; one per run, null where absent. */
  final: (number | null)[];
  /** By which rules these values were taken, in words: `last`, `max`, `at the best valid/ndcg@10`. */
  rules: string[];
  /** Whether they were chosen by the test data, so that they say nothing about new data. */
  chosenOnTest: boolean;
  /** The best finite value by direction; null where absent, or where nobody told which way is better. */
  best: (number | null)[];
}

export interface MetricStatistics {
  name: string;
  direction: MetricDirection | null;
  mean: number;
  /** Sample standard deviation; null for one run. */
  standardDeviation: number | null;
  n: number;
}

/** Compared runs that share a configuration. */
export interface ReplicateGroup {
  configuration: ConfigurationRecord;
  runIds: string[];
  seeds: number[];
  /** Over the values that stand for the metric in the runs that have it; `system/*` left out. */
  metrics: MetricStatistics[];
}

export interface Comparison {
  runs: RunRecord[];
  fields: ConfigurationField[];
  metrics: ComparedMetric[];
  groups: ReplicateGroup[];
}

const MOST_RUNS = 200;
/** Series, and configurations in bytes, that are read for one comparison. */
const MOST_SERIES = 30_000;
const MOST_CONFIGURATION_BYTES = 8 * 1024 ** 2;
/** Values side by side: metrics or fields times runs. */
const MOST_CELLS = 100_000;

/**
 * Runs side by side: what differs in their configurations, their metrics, and the mean and spread of replicates.
 * @param references Ids or numbers, 1 to 200; one given twice is compared once.
 * @param choice Which value of each run counts; without it the one that stands for the metric in its run.
 * @throws WarrenError BAD_INPUT for runs that do not exist or a metric without a best value, TOO_LARGE where they have too much to be compared at once.
 */
export async function compareRuns(
  context: Pick<ServiceContext, 'db'>,
  references: readonly string[],
  choice: ValueChoice = {},
): Promise<Comparison> {
  const runs = await comparedRuns(context, references);
  const hashes = [...new Set(runs.map((run) => run.configurationHash))];
  const ids = runs.map((run) => run.id);
  refuseMore(await measureConfigurations(context.db, hashes), {
    most: MOST_CONFIGURATION_BYTES,
    what: 'bytes of parameters',
  });
  refuseMore(await countSeries(context.db, ids), { most: MOST_SERIES, what: 'series' });
  const found = await findConfigurations(context.db, hashes);
  const configurations = new Map(found.map((configuration) => [configuration.hash, configuration]));
  const series = await listSeries(context.db, ids);
  const seriesOf = new Map(runs.map((run) => [run.id, new Map<string, SeriesRecord>()]));
  for (const one of series) seriesOf.get(one.runId)?.set(one.name, one);
  const names = [...new Set(series.map((one) => one.name))].sort();
  const definitions = await definitionsByRun(context.db, ids);
  const values = await valuesOfSeries(context.db, { series, definitions }, choice);
  refuseMore(names.length * runs.length, { most: MOST_CELLS, what: 'values of metrics' });
  return {
    runs,
    fields: withoutRepeats(compareConfigurations(runs, await configurationsByRun(context.db, runs, found)), found),
    metrics: names.map((name) => {
      const ofRuns = runs.map((run) => seriesOf.get(run.id)?.get(name));
      return compareMetric(name, agreedDirection([...definitions.values()], name), { series: ofRuns, values });
    }),
    groups: hashes.map((hash) => {
      const configuration = configurations.get(hash);
      invariant(configuration, `configuration ${hash} is gone`);
      const members = runs.filter((run) => run.configurationHash === hash);
      return summarizeGroup(configuration, members, {
        names,
        seriesOf,
        definitions: [...definitions.values()],
        values,
      });
    }),
  };
}

function refuseMore(count: number, { most, what }: { most: number; what: string }): void {
  if (count <= most) return;
  const message = `ids: the runs have ${count.toLocaleString('en')} ${what}; at most ${most.toLocaleString('en')} are compared at once: choose fewer runs`;
  throw new WarrenError('TOO_LARGE', message, { path: 'ids' });
}

async function comparedRuns(context: Pick<ServiceContext, 'db'>, references: readonly string[]): Promise<RunRecord[]> {
  if (references.length === 0 || references.length > MOST_RUNS) {
    throw badInput(`ids: expected 1 to ${MOST_RUNS} runs, received ${references.length}`, 'ids');
  }
  const runs = new Map<string, RunRecord>();
  for (const [index, run] of (await resolveRuns(context.db, references)).entries()) {
    if (run === null) throw badInput(`ids[${index}]: ${whyNoRun(references[index]!)}`, `ids[${index}]`);
    runs.set(run.id, run);
  }
  return [...runs.values()];
}

function compareConfigurations(
  runs: readonly RunRecord[],
  configurations: ReadonlyMap<string, ConfigurationRecord>,
): ConfigurationField[] {
  const leaves = runs.map((run) => {
    const configuration = configurations.get(run.id);
    invariant(configuration, `configuration ${run.configurationHash} is gone`);
    const { kind, kindVersion } = configuration;
    return new Map<string, unknown>([
      ['kind', kind],
      ['kindVersion', kindVersion],
      ...flattenConfiguration(configuration),
      ['seed', run.seed],
    ]);
  });
  const paths = new Set(leaves.flatMap((fields) => [...fields.keys()]));
  refuseMore(paths.size * runs.length, { most: MOST_CELLS, what: 'values of configuration fields' });
  const rank = (path: string) => ['kind', 'kindVersion', 'dataset', 'parameters', 'seed'].indexOf(path.split('.')[0]!);
  return [...paths]
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map((path) => {
      const texts = new Set(leaves.map((fields) => (fields.has(path) ? canonicalJson(fields.get(path)) : 'absent')));
      return { path, values: leaves.map((fields) => fields.get(path) ?? null), differs: texts.size > 1 };
    });
}

/** Without what programs added that only repeats a parameter that was queued. */
function withoutRepeats(
  fields: readonly ConfigurationField[],
  configurations: readonly ConfigurationRecord[],
): ConfigurationField[] {
  const queued = new Set(configurations.flatMap((one) => [...flattenConfiguration(one).keys()]));
  const repeats = repeatingFields(fields, (path) => queued.has(path) || !path.startsWith('parameters.'));
  return fields.filter(({ path }) => !repeats.has(path));
}

function compareMetric(
  name: string,
  direction: MetricDirection | null,
  { series, values }: { series: readonly (SeriesRecord | undefined)[]; values: SeriesValues },
): ComparedMetric {
  const best = (one: SeriesRecord | undefined): number | null => {
    if (one === undefined || direction === null) return null;
    return direction === 'higher' ? one.maximum : one.minimum;
  };
  const chosen = series.map((one) => (one === undefined ? null : (values.get(one.id) ?? null)));
  const rules = [...new Set(chosen.flatMap((one) => one?.rule ?? []))].sort();
  return {
    name,
    direction,
    final: chosen.map((one) => one?.value ?? null),
    rules,
    chosenOnTest: isChosenOnTest(name, rules),
    best: series.map(best),
  };
}

function summarizeGroup(
  configuration: ConfigurationRecord,
  members: readonly RunRecord[],
  known: {
    names: readonly string[];
    seriesOf: ReadonlyMap<string, ReadonlyMap<string, SeriesRecord>>;
    definitions: readonly (readonly MetricDefinitionRecord[])[];
    values: SeriesValues;
  },
): ReplicateGroup {
  const metrics = known.names
    .filter((name) => !name.startsWith('system/'))
    .flatMap((name) => {
      const values = members.flatMap((run) => {
        const series = known.seriesOf.get(run.id)?.get(name);
        return (series && known.values.get(series.id)?.value) ?? [];
      });
      return values.length === 0
        ? []
        : [{ name, direction: agreedDirection(known.definitions, name), ...summarizeReplicates(values) }];
    });
  return { configuration, runIds: members.map((run) => run.id), seeds: members.map((run) => run.seed), metrics };
}

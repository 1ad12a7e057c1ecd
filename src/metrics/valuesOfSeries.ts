import type { MetricDirection } from '#src/catalog/kind.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { AT_BEST } from '#src/base/lib/valueRules.ts';
import type { Connection } from '#src/base/database/connection.ts';
import {
  listMetricDefinitions,
  type MetricDefinitionRecord,
  meansOfSeries,
} from '#src/metrics/store/metricDefinition.ts';
import { listSeries, type SeriesRecord } from '#src/metrics/store/metricSeries.ts';
import { valuesAtExtreme } from '#src/metrics/store/valuesAtExtreme.ts';
import { agreedDirection, definitionFor, standingRule, summaryValue } from './metricDefinitions.ts';

/** Which value of each run counts, as for groups of runs; without anything the one that stands for the metric in its run. */
export interface ValueChoice {
  /** BEST asks which way a metric is better; where that is not known, the standing value is taken. */
  at?: 'LAST' | 'BEST' | undefined;
  /** Another metric: the value at the first step where that one was best. */
  bestOf?: string | null | undefined;
}

/** A value of a run in a metric, and the rule by which it was taken, in words: `last`, `max`, `at the best valid/loss`. */
export interface RunValue {
  value: number;
  rule: string;
}

/** The value of each series that has one, by the id of the series. */
export type SeriesValues = ReadonlyMap<string, RunValue>;

/** What the programs of runs said of their metrics, by run; runs whose programs said nothing are not among them. */
export type DefinitionsByRun = ReadonlyMap<string, readonly MetricDefinitionRecord[]>;

interface Known {
  series: readonly SeriesRecord[];
  definitions: DefinitionsByRun;
}

export async function definitionsByRun(connection: Connection, runIds: readonly string[]): Promise<DefinitionsByRun> {
  const ofRuns = new Map<string, MetricDefinitionRecord[]>();
  for (const one of await listMetricDefinitions(connection, runIds)) {
    const known = ofRuns.get(one.runId);
    if (known === undefined) ofRuns.set(one.runId, [one]);
    else known.push(one);
  }
  return ofRuns;
}

/**
 * Which value of a run counts in a metric: for each series the value, and by which rule. Everything that shows, compares or tests
 * values of runs asks it, or `standing_value` in SQL, which says the same of many runs at once.
 * @throws WarrenError BAD_INPUT where the metric whose best is asked for has none, since nobody told which way it is better.
 */
export async function valuesOfSeries(
  connection: Connection,
  known: Known,
  choice: ValueChoice = {},
): Promise<SeriesValues> {
  const { series, definitions } = known;
  const directionOf = (name: string) => agreedDirection([...definitions.values()], name);
  if (choice.bestOf != null) return await atBest(connection, { ...known, guide: choice.bestOf, directionOf });
  const standing = await standingValues(connection, known);
  if (choice.at !== 'BEST') return standing;
  const directions = new Map(series.map(({ name }) => [name, directionOf(name)]));
  return new Map(
    series.flatMap((one): [string, RunValue][] => {
      const direction = directions.get(one.name) ?? null;
      if (direction === null) return [[one.id, standing.get(one.id)!]];
      const value = direction === 'higher' ? one.maximum : one.minimum;
      return value === null ? [] : [[one.id, { value, rule: direction === 'higher' ? 'max' : 'min' }]];
    }),
  );
}

/** The values of runs in some metrics, by run and name of the metric. */
export async function runValues(
  connection: Connection,
  runIds: readonly string[],
  { names, choice }: { names: readonly string[]; choice?: ValueChoice },
): Promise<Map<string, Map<string, RunValue>>> {
  const guides = choice?.bestOf == null ? names : [...names, choice.bestOf];
  const series = await listSeries(connection, runIds, guides);
  const values = await valuesOfSeries(
    connection,
    { series, definitions: await definitionsByRun(connection, runIds) },
    choice,
  );
  const ofRuns = new Map<string, Map<string, RunValue>>(runIds.map((id) => [id, new Map()]));
  for (const { id, runId, name } of series) {
    const value = values.get(id);
    if (value !== undefined) ofRuns.get(runId)?.set(name, value);
  }
  return ofRuns;
}

async function standingValues(connection: Connection, { series, definitions }: Known): Promise<SeriesValues> {
  const definitionOf = (one: SeriesRecord) => {
    const ofRun = definitions.get(one.runId);
    return ofRun === undefined ? null : definitionFor(ofRun, one.name);
  };
  const averaged = series.filter((one) => definitionOf(one)?.summary === 'mean');
  const means = await meansOfSeries(connection, averaged);
  const meanOf = new Map(averaged.map(({ id }, place) => [id, means[place]]));
  return new Map(
    series.map((one) => {
      const definition = definitionOf(one);
      const value = summaryValue(one, definition, meanOf.get(one.id));
      return [one.id, { value, rule: standingRule(one.name, definition) }];
    }),
  );
}

async function atBest(
  connection: Connection,
  { series, guide, directionOf }: Known & { guide: string; directionOf(name: string): MetricDirection | null },
): Promise<SeriesValues> {
  const guides = series.filter(({ name }) => name === guide);
  const shown = guide.slice(0, 80);
  if (guides.length === 0) throw badInput(`bestOf: no compared run has the metric "${shown}"`, 'bestOf');
  const direction = directionOf(guide);
  if (direction === null) {
    throw badInput(
      `bestOf: nobody told whether "${shown}" is better high or low, so that it has no best value; choose another metric`,
      'bestOf',
    );
  }
  const values = await valuesAtExtreme(connection, {
    guides: guides.map(({ id }) => id),
    extreme: direction === 'higher' ? 'maximum' : 'minimum',
  });
  const rule = `${AT_BEST}${guide}`;
  return new Map([...values].map(([id, value]) => [id, { value, rule }]));
}

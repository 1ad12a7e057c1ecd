import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { float8, queryPage, queryRows } from '#src/base/database/queryRows.ts';
import { type RunSelection, SELECTED_FROM, selectionSql } from '#src/runs/store/runPage.ts';

const meanRow = z.object({ place: z.int(), mean: float8 });

const SUMMARY_RULES = ['min', 'max', 'last', 'mean', 'best'] as const;
const GOALS = ['minimize', 'maximize'] as const;
export type SummaryRule = (typeof SUMMARY_RULES)[number];
export type MetricGoal = (typeof GOALS)[number];

/** A row of `metric_definition`: what a program said of its metrics. Null where it said nothing. */
const definitionRow = z.object({
  runId: z.string(),
  /** Of one metric, or with `*` for any characters. */
  name: z.string(),
  /** The metric that is its x axis. */
  stepMetric: z.string().nullable(),
  /** Which value stands for the series. */
  summary: z.enum(SUMMARY_RULES).nullable(),
  goal: z.enum(GOALS).nullable(),
});
export type MetricDefinitionRecord = z.infer<typeof definitionRow>;

/** Writes what a program says of its metrics; what it leaves open stays as it was. */
export async function putMetricDefinitions(
  connection: Connection,
  runId: string,
  definitions: readonly Omit<MetricDefinitionRecord, 'runId'>[],
): Promise<void> {
  const text = (value: string | null) => (value === null ? '' : databaseText(value));
  await connection.$executeRaw`
    INSERT INTO metric_definition (run_id, name, step_metric, summary, goal)
    SELECT ${runId}::uuid, name, nullif(step_metric, ''), nullif(summary, ''), nullif(goal, '')
    FROM unnest(${definitions.map(({ name }) => databaseText(name))}::text[],
      ${definitions.map(({ stepMetric }) => text(stepMetric))}::text[],
      ${definitions.map(({ summary }) => text(summary))}::text[],
      ${definitions.map(({ goal }) => text(goal))}::text[]) AS given (name, step_metric, summary, goal)
    ON CONFLICT (run_id, name) DO UPDATE SET
      step_metric = coalesce(excluded.step_metric, metric_definition.step_metric),
      summary = coalesce(excluded.summary, metric_definition.summary),
      goal = coalesce(excluded.goal, metric_definition.goal)`;
}

/** What the programs of the runs said of their metrics, by run and name. */
export async function listMetricDefinitions(
  connection: Connection,
  runIds: readonly string[],
): Promise<MetricDefinitionRecord[]> {
  if (runIds.length === 0) return [];
  return await queryPage(connection, definitionRow)`
    SELECT run_id AS "runId", name, step_metric AS "stepMetric", summary, goal FROM metric_definition
    WHERE run_id = ANY(${[...runIds]}::uuid[]) ORDER BY run_id, name`;
}

/** What decides which way a metric is better. */
const directionRule = definitionRow.pick({ name: true, summary: true, goal: true });
export type DirectionRule = z.infer<typeof directionRule>;
const rulesRow = z.object({ rules: z.array(directionRule) });

/** The different sets of rules that the programs of the selected runs have given, at most `most`. */
export async function listDirectionRules(
  connection: Connection,
  selection: RunSelection,
  most: number,
): Promise<DirectionRule[][]> {
  const rows = await queryPage(connection, rulesRow)`
    SELECT DISTINCT jsonb_agg(jsonb_build_object('name', name, 'summary', summary, 'goal', goal) ORDER BY name) AS rules
    FROM metric_definition WHERE run_id IN (SELECT run.id ${SELECTED_FROM} WHERE ${selectionSql(selection)})
    GROUP BY run_id ORDER BY 1 LIMIT ${most}::int`;
  return rows.map(({ rules }) => rules);
}

/** What a series is found by. */
export interface SeriesName {
  runId: string;
  name: string;
}

/** The mean over the finite values of each of these series, in their order; undefined where there is none. */
export async function meansOfSeries(
  connection: Connection,
  series: readonly SeriesName[],
): Promise<(number | undefined)[]> {
  if (series.length === 0) return [];
  const rows = await queryRows(connection, meanRow)`
    SELECT given.place::int AS place, avg(point.value) AS mean
    FROM unnest(${series.map(({ runId }) => runId)}::uuid[], ${series.map(({ name }) => name)}::text[])
      WITH ORDINALITY AS given (run_id, name, place)
    JOIN metric_series ON metric_series.run_id = given.run_id AND metric_series.name = given.name
    CROSS JOIN LATERAL series_points(metric_series.id) point
    WHERE point.value > '-Infinity' AND point.value < 'Infinity' GROUP BY given.place`;
  const means = new Map(rows.map(({ place, mean }) => [place, mean]));
  return series.map((_, i) => means.get(i + 1));
}

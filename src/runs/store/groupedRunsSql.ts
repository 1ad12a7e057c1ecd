import type { GroupField } from '#src/base/contracts/runFilter/groupField.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { isFieldOfConfiguration, isParameter } from './filterParts.ts';
import { MAY_ADD_PARAMETERS } from './runFieldSql.ts';
import { standingValueSql } from './standingValueSql.ts';
import { groupJoins, groupKeySql } from './runGroupKey.ts';
import { type RunSelection, SELECTED_FROM, selectionSql } from './runPage.ts';

type Sql = Prisma.Sql;
/** Characters of the id of a run; the hash of a configuration has more. */
const ID_LENGTH = 36;
type Extreme = 'minimum' | 'maximum';

/** Which one value of each run a group is summed up over. */
export interface RunValue {
  name: string;
  /** The value that stands for the metric, the last one unless its program said otherwise; the extreme; or the value at the first step where another series has its extreme. */
  at: { type: 'last' } | { type: 'extreme'; extreme: Extreme } | { type: 'stepOf'; name: string; extreme: Extreme };
}

export interface Grouping {
  fields: readonly GroupField[];
  values: readonly RunValue[];
}

/**
 * Common table expressions `placed`, a row for each selected run with `part`, a number for its group, with the columns of `run`
 * that are named and with the values of the grouping as `v0`, `v1`, …; and `parts`, the `key` of each `part`, with the `hash` of the
 * configuration that all of its runs share, or NULL. Keys that follow from the configuration are made once for each configuration: a
 * jsonb a run, hashed and compared, would cost more than all the rest.
 */
export function placedRunsSql(
  selection: RunSelection,
  { fields, values }: Grouping,
  columns: readonly ('seed' | 'state' | 'configuration_hash')[] = [],
): Sql {
  const byConfiguration = fields.every(isFieldOfConfiguration);
  const by = byConfiguration
    ? Prisma.sql`${fields.some(isParameter) ? OF_ITS_OWN : Prisma.sql`run.configuration_hash`} AS by`
    : Prisma.sql`${groupKeySql(fields)} AS by, run.configuration_hash AS hash`;
  const keyed = byConfiguration
    ? keyedConfigurationsSql(fields)
    : Prisma.sql`SELECT by, CASE WHEN min(hash COLLATE "C") = max(hash COLLATE "C") THEN min(hash COLLATE "C") END AS hash, by AS key
        FROM selected GROUP BY by`;
  const joins = Prisma.join([SELECTED_FROM, ...groupJoins(fields), ...values.map(valueJoin)], ' ');
  const found = [...columns.map((name) => `run.${name}`), ...values.map((_, i) => `source${i}.value AS v${i}`)];
  const kept = [...columns, ...values.map((_, i) => `v${i}`)].map((name) => `selected.${name}`);
  return Prisma.sql`selected AS MATERIALIZED (
      SELECT ${Prisma.join([by, ...found.map((column) => Prisma.raw(column))])}
      ${joins} WHERE ${selectionSql(selection)}
    ), keyed AS MATERIALIZED (${keyed}),
    parts AS MATERIALIZED (
      SELECT key, row_number() OVER ()::int AS part, 
        CASE WHEN min(hash COLLATE "C") = max(hash COLLATE "C") THEN min(hash COLLATE "C") END AS hash
      FROM keyed GROUP BY key
    ),
    placed AS MATERIALIZED (
      SELECT ${Prisma.raw(['parts.part', ...kept].join(', '))}
      FROM selected JOIN keyed ON keyed.by = selected.by JOIN parts ON parts.key = keyed.key
    )`;
}

/** A command stands for itself, since its program may add parameters; others for their configuration. */
const OF_ITS_OWN = Prisma.sql`CASE WHEN ${MAY_ADD_PARAMETERS} THEN run.id::text ELSE run.configuration_hash END`;

/** The key of each configuration, and of each command where fields are parameters. */
function keyedConfigurationsSql(fields: readonly GroupField[]): Sql {
  const key = Prisma.sql`run.configuration_hash AS hash, ${groupKeySql(fields)} AS key`;
  const withParameters = fields.some(isParameter);
  const configurations = Prisma.sql`SELECT run.configuration_hash AS by, ${key}
    FROM (SELECT DISTINCT by AS configuration_hash, NULL::jsonb AS needs, NULL::jsonb AS environment FROM selected) run
    JOIN configuration ON configuration.hash = run.configuration_hash`;
  if (!withParameters) return configurations;
  // the lengths tell ids from hashes, and PostgreSQL to expect few of them
  const id = Prisma.sql`length(by) = ${ID_LENGTH}::int`;
  return Prisma.sql`${configurations} UNION ALL SELECT run.id::text, ${key}
    FROM (SELECT CASE WHEN ${id} THEN by::uuid END AS id FROM selected WHERE ${id}) command
    JOIN run ON run.id = command.id JOIN configuration ON configuration.hash = run.configuration_hash`;
}

function valueJoin({ name, at }: RunValue, index: number): Sql {
  const source = Prisma.raw(`source${index}`);
  const own = Prisma.sql`series.name = ${databaseText(name)} AND series.point_count > 0`;
  if (at.type !== 'stepOf') {
    const value = at.type === 'last' ? standingValueSql(name) : Prisma.raw(`series.${at.extreme}`);
    return Prisma.sql`LEFT JOIN (SELECT series.run_id, ${value} AS value FROM metric_series series WHERE ${own}) ${source}
      ON ${source}.run_id = run.id`;
  }
  const extreme = Prisma.raw(at.extreme);
  return Prisma.sql`LEFT JOIN LATERAL (
      SELECT point.value FROM metric_series guide JOIN metric_series series ON series.run_id = guide.run_id AND ${own}
      CROSS JOIN LATERAL (SELECT step FROM series_points(guide.id) WHERE value = guide.${extreme}
        ORDER BY step LIMIT 1) chosen
      CROSS JOIN LATERAL series_points(series.id, chosen.step, chosen.step) point
      WHERE guide.run_id = run.id AND guide.name = ${databaseText(at.name)}
    ) ${source} ON true`;
}

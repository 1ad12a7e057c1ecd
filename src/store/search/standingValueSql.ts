import { metricDirection } from '#src/catalog/metricDirection.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import { databaseText } from '../database/databaseText.ts';

type Sql = Prisma.Sql;

/** A pattern of `define_metric`, where `*` is any characters, as one of LIKE. */
const AS_LIKE = Prisma.raw(
  String.raw`replace(replace(replace(replace(rule.name, '\', '\\'), '%', '\%'), '_', '\_'), '*', '%')`,
);

/**
 * The value of `series`, a row of `metric_series`, that stands for a metric in its run, as `summaryValue` has it: by the rule
 * that its program gave, or else the last one. A rule for the name itself goes before patterns, and a long pattern before a
 * short one. Whether any program gave a rule is asked once in a query: where none did, nothing else is looked at.
 */
export function standingValueSql(name: string): Sql {
  const text = databaseText(name);
  const concerns = Prisma.sql`(rule.name = ${text} OR rule.name LIKE '%*%' AND ${text}::text LIKE ${AS_LIKE})`;
  const anyRule = Prisma.sql`(SELECT EXISTS (SELECT FROM metric_definition rule WHERE rule.summary <> 'last' AND ${concerns}))`;
  const direction = metricDirection(name);
  const declared =
    direction === null ? Prisma.sql`NULL` : Prisma.raw(direction === 'higher' ? 'series.maximum' : 'series.minimum');
  return Prisma.sql`CASE WHEN ${anyRule} THEN coalesce((
    SELECT CASE rule.summary WHEN 'min' THEN series.minimum WHEN 'max' THEN series.maximum
        WHEN 'mean' THEN (SELECT avg(point.value) FROM series_points(series.id) point
          WHERE point.value > '-Infinity' AND point.value < 'Infinity')
        WHEN 'best' THEN CASE rule.goal WHEN 'maximize' THEN series.maximum WHEN 'minimize' THEN series.minimum
          ELSE ${declared} END
      END
    FROM metric_definition rule WHERE rule.run_id = series.run_id AND ${concerns}
    ORDER BY (rule.name = ${text}) DESC, length(rule.name) DESC, rule.name LIMIT 1
  ), series.last_value) ELSE series.last_value END`;
}

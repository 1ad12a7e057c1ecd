import { metricDirection } from '#src/catalog/metricDirection.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import { databaseText } from '#src/base/database/databaseText.ts';

type Sql = Prisma.Sql;

/**
 * The value of `series`, a row of `metric_series`, that stands for a metric in its run, as `summaryValue` has it: by the rule
 * that its program gave, or else the last one. Whether any program gave a rule is asked once in a query: where none did, nothing
 * else is looked at.
 */
export function standingValueSql(name: string): Sql {
  return Prisma.sql`CASE WHEN ${rulesSql(name)} = 1 THEN ${ruledValueSql(name)} ELSE series.last_value END`;
}

/**
 * Whether `test` holds of the value that stands for a metric, in two parts that exclude each other: one of them asks for the last
 * value alone, by which the index has the series.
 */
export function standingTests(name: string, test: (value: Sql) => Sql): Sql[] {
  return [
    Prisma.sql`${lastValueStandsSql(name)} AND ${test(Prisma.sql`series.last_value`)}`,
    Prisma.sql`${rulesSql(name)} = 1 AND ${test(ruledValueSql(name))}`,
  ];
}

/** Whether the last value stands for a metric in all runs: no program gave a rule. */
export function lastValueStandsSql(name: string): Sql {
  return Prisma.sql`${rulesSql(name)} <> 1`;
}

/** 1 where a program gave a rule that may concern the metric. */
function rulesSql(name: string): Sql {
  return Prisma.sql`(SELECT count(*) FROM (SELECT FROM metric_definition rule
    WHERE rule.summary <> 'last' AND rule_concerns(rule.name, ${databaseText(name)}) LIMIT 1) found)`;
}

function ruledValueSql(name: string): Sql {
  const direction = metricDirection(name);
  const declared = Prisma.raw(
    direction === null ? 'NULL::float8' : direction === 'higher' ? 'series.maximum' : 'series.minimum',
  );
  return Prisma.sql`standing_value(series.run_id, series.name, series.last_value, series.minimum, series.maximum, ${declared})`;
}

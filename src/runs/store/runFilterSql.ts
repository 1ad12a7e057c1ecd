import type {
  Condition,
  JsonField,
  JsonScalar,
  Operator,
  RunField,
  RunFilter,
  TagField,
  TimeSpan,
} from '#src/base/contracts/runFilter/syntax.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { asksForParameters, isOfConfiguration } from './filterParts.ts';
import { MAY_ADD_PARAMETERS, jsonSql, metricSql, numberSql, patternTextSql, textSql, timeSql } from './runFieldSql.ts';
import { standingTests } from './standingValueSql.ts';

type Sql = Prisma.Sql;

/**
 * A boolean expression over `run` and `configuration`, never NULL: a run without a value meets no condition on it. Values
 * travel as parameters.
 */
export function runFilterSql(filter: RunFilter): Sql {
  return combinedSql(filter, runFilterSql);
}

/**
 * As `runFilterSql`, over `run` alone: what follows from a run's configuration is decided once for each configuration, which is
 * less work than once for each run where most runs have to be looked at. `IS TRUE` keeps PostgreSQL from making a join of it.
 */
export function wholeFilterSql(filter: RunFilter): Sql {
  if (!isOfConfiguration(filter)) return combinedSql(filter, wholeFilterSql);
  const decided = Prisma.sql`(EXISTS (SELECT FROM configuration
    WHERE configuration.hash = run.configuration_hash AND ${runFilterSql(filter)}) IS TRUE)`;
  if (!asksForParameters(filter)) return decided;
  // Commands, to whose parameters their programs add, are looked at one by one. For the others nothing inside depends on `run` but the
  // hash, so that PostgreSQL may still decide once for each configuration.
  return Prisma.sql`(CASE WHEN ${MAY_ADD_PARAMETERS} THEN ${decided} ELSE (EXISTS (SELECT FROM configuration
    WHERE configuration.hash = run.configuration_hash AND (SELECT ${runFilterSql(filter)}
      FROM (SELECT configuration.hash AS configuration_hash, NULL::jsonb AS needs, NULL::jsonb AS environment) run)) IS TRUE) END)`;
}

function combinedSql(filter: RunFilter, operandSql: (operand: RunFilter) => Sql): Sql {
  switch (filter.type) {
    case 'and':
      return Prisma.sql`(${Prisma.join(filter.operands.map(operandSql), ' AND ')})`;
    case 'or':
      return Prisma.sql`(${Prisma.join(filter.operands.map(operandSql), ' OR ')})`;
    case 'not':
      return Prisma.sql`(NOT ${operandSql(filter.operand)})`;
    default:
      return conditionSql(filter);
  }
}

function conditionSql(condition: Condition): Sql {
  switch (condition.type) {
    case 'compareText':
      return known(compare(textSql(condition.field), condition.operator, textValue(condition.value)));
    case 'compareNumber':
    case 'inNumbers':
      return numbersSql(condition);
    case 'compareTime':
      return presentTime(timeSql(condition.field), condition.operator, condition.value);
    case 'compareJson':
      return known(compareJson(condition.field, condition.operator, condition.value));
    case 'inTexts': {
      const found = Prisma.sql`${textSql(condition.field)} = ANY(${condition.values.map(databaseText)}::text[])`;
      return known(condition.negated ? Prisma.sql`NOT (${found})` : found);
    }
    case 'inJson': {
      const any = condition.values.map((value) => compareJson(condition.field, '=', value));
      const found = Prisma.sql`(${Prisma.join(any, ' OR ')})`;
      return known(condition.negated ? presentJson(condition.field, Prisma.sql`NOT ${found}`) : found);
    }
    case 'inStates': {
      const found = Prisma.sql`run.state = ANY(${[...condition.values]}::run_state[])`;
      return condition.negated ? Prisma.sql`(NOT ${found})` : Prisma.sql`(${found})`;
    }
    case 'inTags': {
      const found = Prisma.sql`run.tags && ${condition.values.map(databaseText)}::text[]`;
      return condition.negated ? Prisma.sql`(NOT ${found})` : Prisma.sql`(${found})`;
    }
    case 'like':
      return likeSql(condition);
    case 'null':
      return Prisma.sql`(${nullSql(condition.field)} = ${!condition.negated})`;
    default:
      return assertNever(condition);
  }
}

function known(expression: Sql): Sql {
  return Prisma.sql`coalesce(${expression}, false)`;
}

/** Never null, and in a form for which PostgreSQL may use an index. */
function presentTime(time: Sql, operator: Operator, span: TimeSpan): Sql {
  return Prisma.sql`(${time} IS NOT NULL AND ${compareTime(time, operator, span)})`;
}

function textValue(text: string): Sql {
  return Prisma.sql`${databaseText(text)}::text COLLATE "C"`;
}

function numberValue(value: number): Sql {
  return Prisma.sql`${String(value)}::text::float8`;
}

function compare(left: Sql, operator: Operator, right: Sql): Sql {
  switch (operator) {
    case '=':
      return Prisma.sql`${left} = ${right}`;
    case '!=':
      return Prisma.sql`${left} <> ${right}`;
    case '<':
      return Prisma.sql`${left} < ${right}`;
    case '<=':
      return Prisma.sql`${left} <= ${right}`;
    case '>':
      return Prisma.sql`${left} > ${right}`;
    case '>=':
      return Prisma.sql`${left} >= ${right}`;
    default:
      return assertNever(operator);
  }
}

/** PostgreSQL orders NaN above all numbers; here it is neither less nor greater than any. */
function compareNumber(left: Sql, operator: Operator, value: number): Sql {
  const compared = compare(left, operator, numberValue(value));
  if (operator === '=' || operator === '!=') return compared;
  return Number.isNaN(value) ? Prisma.sql`false` : Prisma.sql`(${compared} AND ${left} <> 'NaN'::float8)`;
}

function numbersSql(condition: Extract<Condition, { type: 'compareNumber' | 'inNumbers' }>): Sql {
  const { field } = condition;
  const test = (value: Sql): Sql => {
    if (condition.type === 'compareNumber') return compareNumber(value, condition.operator, condition.value);
    const found = Prisma.sql`${value} = ANY(${condition.values.map(String)}::text[]::float8[])`;
    return condition.negated ? Prisma.sql`NOT (${found})` : found;
  };
  if (field.type !== 'metric') return known(test(numberSql(field)));
  const tests = field.summary === 'last' ? standingTests(field.name, test) : [test(metricSql(field))];
  return Prisma.sql`(${Prisma.join(
    tests.map((one) => hasSeries(field.name, one)),
    ' OR ',
  )})`;
}

/**
 * Whether a run has a series of a metric that passes. As a value, not as a condition that PostgreSQL makes a join of: where it
 * expects a page to be full soon, it would compare each run with each series.
 */
function hasSeries(name: string, test: Sql): Sql {
  return Prisma.sql`(EXISTS (SELECT FROM metric_series series
    WHERE series.run_id = run.id AND series.name = ${databaseText(name)} AND series.point_count > 0 AND ${test}) IS TRUE)`;
}

function compareTime(left: Sql, operator: Operator, span: TimeSpan): Sql {
  const start = instant(span, span.start);
  const end = instant(span, span.end);
  switch (operator) {
    case '=':
      return Prisma.sql`(${left} >= ${start} AND ${left} < ${end})`;
    case '!=':
      return Prisma.sql`(${left} < ${start} OR ${left} >= ${end})`;
    case '<':
      return Prisma.sql`${left} < ${start}`;
    case '<=':
      return Prisma.sql`${left} < ${end}`;
    case '>':
      return Prisma.sql`${left} >= ${end}`;
    case '>=':
      return Prisma.sql`${left} >= ${start}`;
    default:
      return assertNever(operator);
  }
}

function instant(span: TimeSpan, milliseconds: number): Sql {
  if (span.relative) return Prisma.sql`(now() + ${String(milliseconds)}::text::float8 * interval '1 millisecond')`;
  return Prisma.sql`to_timestamp(${String(milliseconds)}::text::numeric / 1000)`;
}

function compareJson(field: JsonField, operator: Operator, value: JsonScalar): Sql {
  const json = jsonSql(field);
  const type = Prisma.sql`jsonb_typeof(${json})`;
  const matching = {
    number: () => compareNumber(Prisma.sql`(${json})::float8`, operator, Number(value)),
    string: () => compare(Prisma.sql`(${json} #>> '{}') COLLATE "C"`, operator, textValue(String(value))),
    boolean: () => compare(Prisma.sql`(${json})::boolean`, operator, Prisma.sql`${value === true}`),
  };
  const kind = typeof value as 'number' | 'string' | 'boolean';
  // CASE keeps the cast away from values of other types, which differ from `value` by being of another type.
  const other = operator === '!=' ? presentJson(field, Prisma.sql`true`) : Prisma.sql`false`;
  return Prisma.sql`CASE WHEN ${type} = ${kind}::text THEN ${matching[kind]()} ELSE ${other} END`;
}

function presentJson(field: JsonField, test: Sql): Sql {
  return Prisma.sql`(jsonb_typeof(${jsonSql(field)}) <> 'null' AND ${test})`;
}

function likeSql(condition: Extract<Condition, { type: 'like' }>): Sql {
  const { field, negated } = condition;
  const operator = Prisma.raw(condition.caseless ? 'ILIKE' : 'LIKE');
  const pattern = databaseText(condition.pattern);
  if (field.type === 'tag') {
    const found = Prisma.sql`EXISTS (SELECT FROM unnest(run.tags) tag WHERE tag ${operator} ${pattern}::text)`;
    return negated ? Prisma.sql`(NOT ${found})` : found;
  }
  const text = likeable(field);
  return known(Prisma.sql`(${text} ${operator} ${pattern}::text) = ${!negated}`);
}

function likeable(field: Exclude<Extract<Condition, { type: 'like' }>['field'], TagField>): Sql {
  if (field.type !== 'json') return patternTextSql(field);
  const json = jsonSql(field);
  return Prisma.sql`CASE WHEN jsonb_typeof(${json}) = 'string' THEN ${json} #>> '{}' END`;
}

function nullSql(field: RunField): Sql {
  switch (field.type) {
    case 'text':
    case 'loggedText':
      return Prisma.sql`(${textSql(field)} IS NULL)`;
    case 'number':
      return Prisma.sql`(${numberSql(field)} IS NULL)`;
    case 'time':
      return Prisma.sql`(${timeSql(field)} IS NULL)`;
    case 'state':
      return Prisma.sql`false`;
    case 'tag':
      return Prisma.sql`(run.tags = '{}')`;
    case 'metric':
      return Prisma.sql`(NOT ${hasSeries(field.name, Prisma.sql`${metricSql(field)} IS NOT NULL`)})`;
    case 'json':
      return Prisma.sql`(coalesce(jsonb_typeof(${jsonSql(field)}), 'null') = 'null')`;
    default:
      return assertNever(field);
  }
}

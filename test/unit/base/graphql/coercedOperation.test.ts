import { buildSchema, execute, type GraphQLSchema, parse } from 'graphql';
import { expect, test } from 'vitest';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { coerceOperation } from '#src/base/graphql/coercedOperation.ts';
import { checkCost } from '#src/base/graphql/checkCost.ts';
import { refuseBeyondOwnRun } from '#src/graphql/ownRunOnly.ts';
import { createQueryExecutor } from '#src/server/graphql/compiledQueries.ts';

/** A schema whose scalar counts the values that it was asked to read. */
function countingSchema(): { schema: GraphQLSchema; read(): number } {
  const schema = buildSchema(`
    scalar Value
    input Series { name: String! values: [Value!]! kind: String! = "line" }
    type Query { sum(runId: ID, series: [Series!]!): Float! }
    type Mutation { logMetrics(runId: ID!, series: [Series!]!): Float! }`);
  let count = 0;
  const parseValue = (value: unknown) => {
    count++;
    return Number(value);
  };
  Object.assign(schema.getType('Value')!, { parseValue });
  const resolve = (_: unknown, { series }: { series: { values: number[] }[] }) =>
    series.flatMap(({ values }) => values).reduce((sum, value) => sum + value, 0);
  schema.getQueryType()!.getFields().sum!.resolve = resolve;
  schema.getMutationType()!.getFields().logMetrics!.resolve = resolve;
  return { schema, read: () => count };
}

const runId = '00000000-0000-7000-8000-000000000001';
const variables = { runId, series: [{ name: 'loss', values: ['1', '2', '3', '4'] }] };

test.each([
  ['a mutation', 'mutation ($runId: ID!, $series: [Series!]!) { logMetrics(runId: $runId, series: $series) }'],
  ['a query', 'query ($series: [Series!]!) { sum(series: $series) }'],
])('Values in variables are read once, whatever looks at the operation: %s', async (sort, text) => {
  const { schema, read } = countingSchema();
  const document = parse(text);
  const execute = createQueryExecutor();
  for (let turn = 1; turn <= 3; turn++) {
    const coerced = coerceOperation({ schema, document, variables, operationName: undefined });
    checkCost(coerced);
    if (sort === 'a mutation') refuseBeyondOwnRun(coerced, runId);
    const { data, errors } = await execute(coerced, {} as GraphqlContext);
    expect(errors).toBeUndefined();
    expect(Object.values(data ?? {})).toEqual([10]);
    expect(read()).toBe(4 * turn);
  }
});

test.each([
  ['left out', {}],
  ['given', { first: 3 }],
  ['null', { first: null }],
])('A variable with a default has the value that graphql gives it: %s', async (_, given) => {
  const schema = buildSchema('type Query { page(first: Int = 7): String! }');
  schema.getQueryType()!.getFields().page!.resolve = (_root, args: object) => JSON.stringify(args);
  for (const document of [
    parse('query ($first: Int = 5) { page(first: $first) }'),
    parse('query ($first: Int) { page(first: $first) }'),
  ]) {
    const { values, ...coerced } = coerceOperation({ schema, document, variables: given, operationName: undefined });
    expect(await execute({ ...coerced, variableValues: values })).toEqual(
      await execute({ schema, document, variableValues: given }),
    );
  }
});

test('Callers see nothing of the scalar that stands for coerced values', () => {
  const schema = buildSchema('type Query { page(first: Int): String! }');
  const document = parse('query ($first: Int) { page(first: $first) }');
  coerceOperation({ schema, document, variables: {}, operationName: undefined });
  expect(schema.getType('CoercedValue')).toBeUndefined();
  expect(Object.keys(schema.getTypeMap())).not.toContain('CoercedValue');
});

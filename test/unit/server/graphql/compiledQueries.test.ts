import { inspect } from 'node:util';
import { buildSchema, type DocumentNode, type ExecutionResult, execute, type GraphQLSchema, parse } from 'graphql';
import { expect, test } from 'vitest';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coerceOperation } from '#src/base/graphql/coercedOperation.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { createQueryExecutor, isPlainQuery } from '#src/server/graphql/compiledQueries.ts';

interface Asked {
  document: DocumentNode;
  variables?: Record<string, unknown>;
  contextValue?: object;
}

/** Asks one executor again and again. */
function asker(schema: GraphQLSchema, mostFieldsKept?: number): (asked: Asked) => Promise<ExecutionResult> {
  const ask = createQueryExecutor(mostFieldsKept);
  return async ({ document, variables = {}, contextValue = {} }) => {
    const operation = coerceOperation({ schema, document, variables, operationName: undefined });
    return await ask(operation, contextValue as GraphqlContext);
  };
}

function exampleSchema(): GraphQLSchema {
  const schema = buildSchema(`
    scalar MetricValue
    input Wanted { name: String! at: Int! = 1 }
    enum Direction { UP DOWN }
    input Order { by: String! direction: Direction! = DOWN above: MetricValue = 0 }
    type Query { ordered(order: Order, above: MetricValue): String! wanted(metrics: [Wanted!]): Int! runs(first: Int = 2, names: [String!]): [Run!]! run(id: ID!): Run broken: Run! }
    type Run { id: ID! tags: [String!]! parent: Run metrics(names: [String!]): [Metric!]! wrong: Int! }
    type Metric { name: String! value: MetricValue! best: MetricValue }`);
  const { serialize, parseValue } = metricValueScalar;
  Object.assign(schema.getType('MetricValue')!, { serialize, parseValue });
  const metrics = [
    { name: 'loss', value: Number.NaN, best: null },
    { name: 'ndcg', value: 0.5, best: Number.POSITIVE_INFINITY },
  ];
  const runs = [1, 2, 3].map((id) => ({ id, tags: id === 1 ? [] : ['a', 'b'], wrong: 'text' }));
  const fields = schema.getQueryType()!.getFields();
  fields.runs!.resolve = async (_, { first }: { first: number }) => runs.slice(0, first);
  fields.run!.resolve = async (_, { id }: { id: string }) => {
    throw new WarrenError('NOT_FOUND', `there is no run ${id}`);
  };
  fields.wanted!.resolve = async (_, { metrics }: { metrics?: { at: number }[] }) => metrics?.[0]?.at ?? 0;
  fields.ordered!.resolve = async (_, given: object) => inspect(given);
  fields.broken!.resolve = async () => null;
  const run = schema.getType('Run');
  if (run === undefined || !('getFields' in run)) throw new Error('the schema has a type Run');
  const parts: Record<string, unknown> = run.getFields();
  Object.assign(parts.parent as object, { resolve: async (one: { id: number }) => runs[one.id] ?? null });
  Object.assign(parts.metrics as object, {
    resolve: async (_: unknown, { names }: { names?: string[] }) =>
      metrics.filter(({ name }) => names?.includes(name) ?? true),
  });
  return schema;
}

test.each([
  [
    'lists, nulls and numbers beyond JSON',
    '{ runs { id tags parent { id parent { id } } metrics { name value best } } }',
  ],
  [
    'variables and aliases',
    'query ($names: [String!]) { a: runs(first: 1) { metrics(names: $names) { name } } b: runs { __typename } }',
  ],
  ['defaults within variables', 'query ($metrics: [Wanted!]) { wanted(metrics: $metrics) }'],
  ['an order with defaults', 'query ($order: Order = { by: "name" }) { ordered(order: $order) }'],
  ['numbers beyond JSON as variables', 'query ($beyond: MetricValue) { ordered(above: $beyond) }'],
  ['fragments', 'query Q { runs(first: 3) { ...part } } fragment part on Run { id ... on Run { metrics { value } } }'],
  ['an error of a resolver', 'query ($id: ID!) { runs { id } run(id: $id) { id } }'],
  ['a missing value', '{ runs { id } broken { id } }'],
  ['a value of the wrong type', '{ runs { id wrong } }'],
])('A query that is asked again has the same answer: %s', async (_, text) => {
  const schema = exampleSchema();
  const document = parse(text);
  const operation = {
    document,
    variables: {
      id: '7',
      names: ['ndcg'],
      metrics: [{ name: 'loss' }],
      order: { by: 'id', above: 'NaN' },
      beyond: 'NaN',
    },
  };
  const expected = JSON.stringify(await execute({ schema, document, variableValues: operation.variables }));
  const ask = asker(schema);
  expect(isPlainQuery(parse(text), undefined)).toBe(true);
  // which further errors there are where a whole list becomes null is left open by GraphQL
  for (let turn = 0; turn < 3; turn++) {
    const { errors, data } = JSON.parse(JSON.stringify(await ask(operation)));
    expect({ errors: errors?.slice(0, 1), data }).toEqual({
      errors: JSON.parse(expected).errors?.slice(0, 1),
      data: JSON.parse(expected).data,
    });
  }
});

test.each([
  ['code', '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dglobalThis.takenOver=true'],
  ['what stands for a number', '__MAGIC_NAN__57f286b9_4c20_487f_b409_79804ddcb4f8'],
])('A text in a query is a text, and nothing that graphql-jit would write into its function: %s', async (_, text) => {
  const schema = exampleSchema();
  const seen: unknown[] = [];
  schema.getQueryType()!.getFields().run!.resolve = async (_root, { id }: { id: unknown }) => void seen.push(id);
  const ask = asker(schema);
  for (const query of [`{ run(id: "${text}") { id } }`, `query ($id: ID! = "${text}") { run(id: $id) { id } }`]) {
    const document = parse(query);
    for (let turn = 0; turn < 3; turn++) {
      await ask({ document });
    }
  }
  expect(seen).toEqual(Array(6).fill(text));
  expect(globalThis).not.toHaveProperty('takenOver');
});

test('Callers who ask the same query at the same time get each their own answer', async () => {
  const schema = exampleSchema();
  schema.getQueryType()!.getFields().run!.resolve = async (_root, { id }: { id: string }, context: { of: string }) => {
    await new Promise((resolve) => setImmediate(resolve));
    return { id: `${id} of ${context.of}`, tags: [] };
  };
  const ask = asker(schema);
  const document = parse('query ($id: ID!) { run(id: $id) { id parent { id } } }');
  const callers = Array.from({ length: 20 }, (_, i) => ({ id: `run ${i}`, of: `caller ${i}` }));
  for (let turn = 0; turn < 3; turn++) {
    const asked = callers.map(async ({ id, of }) => {
      const { data } = await ask({ document, variables: { id }, contextValue: { of } });
      expect(data).toMatchObject({ run: { id: `${id} of ${of}` } });
    });
    await Promise.all(asked);
  }
});

test('Queries for which there is no room among the compiled ones have the same answers again', async () => {
  const ask = asker(exampleSchema(), 5);
  const documents = [1, 2, 3].map((first) => parse(`{ runs(first: ${first}) { id tags } }`));
  for (let turn = 0; turn < 3; turn++) {
    const asked = documents.map((document) => ask({ document }));
    const answers: unknown[] = JSON.parse(JSON.stringify(await Promise.all(asked)));
    expect(answers).toMatchObject(
      [1, 2, 3].map((first) => ({ data: { runs: ['1', '2', '3'].slice(0, first).map((id) => ({ id })) } })),
    );
  }
});

test('A query has the same answer again whatever its variables are called', async () => {
  const schema = exampleSchema();
  const ask = asker(schema);
  for (const name of ['constructor', '__proto__', 'toString']) {
    const document = parse(`query ($${name}: [String!]) { runs(names: $${name}) { id } }`);
    for (let turn = 0; turn < 3; turn++) {
      expect(await ask({ document })).toMatchObject({ data: { runs: [{ id: '1' }, { id: '2' }] } });
    }
  }
});

test.each([
  ['a mutation', 'mutation { a }'],
  ['a directive', 'query ($on: Boolean!) { runs { id @include(if: $on) } }'],
  ['the schema itself', '{ __schema { types { name } } }'],
  ['a variable within a value', 'query ($a: Float) { runs(where: { above: $a }) { id } }'],
  ['a text', '{ run(id: "7") { id } }'],
  ['a text in a list', '{ runs(names: ["a"]) { id } }'],
  ['a name that every object has', '{ constructor: runs { id } }'],
  ['a name like those of graphql-jit', '{ runs { a__b: id } }'],
  [
    'fragments that would grow without end',
    `{ runs { ...f0 } } ${Array.from({ length: 12 }, (_, i) => `fragment f${i} on Run { a: parent { ...f${i + 1} } b: parent { ...f${i + 1} } }`).join(' ')} fragment f12 on Run { id }`,
  ],
])('graphql-js itself executes what is out of the ordinary: %s', (_, text) => {
  expect(isPlainQuery(parse(text), undefined)).toBe(false);
});

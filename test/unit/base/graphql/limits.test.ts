import { buildSchema, parse, specifiedRules, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { aliasRule } from '#src/graphql/aliasRule.ts';
import { coerceOperation } from '#src/base/graphql/coercedOperation.ts';
import { checkCost } from '#src/base/graphql/checkCost.ts';
import { depthRule } from '#src/graphql/depthRule.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';

const schema = buildSchema(`
  type Node { id: ID! child: Node children(first: Int): Nodes list: [Node!]! }
  type Nodes { edges: [Edge!]! totalCount: Int! }
  type Edge { node: Node! }
  type Query { root: Node named(ids: [ID!]!): [Node!]! paged(first: Int = 20): Nodes }
`);

const cost = (query: string, variables: Record<string, unknown> = {}): number =>
  checkCost(coerceOperation({ schema, document: parse(query), variables, operationName: undefined }));
const nested = (levels: number): string => `{ root ${'{ child '.repeat(levels)}{ id }${' }'.repeat(levels)} }`;
const problems = (query: string): string[] =>
  validate(schema, parse(query), [...specifiedRules, depthRule, aliasRule]).map((error) => error.message);

describe('depth', () => {
  test('an operation may be as deep as the limit and no deeper', () => {
    expect(problems(nested(LIMITS.depth - 2))).toEqual([]);
    expect(problems(nested(LIMITS.depth - 1))).toEqual([expect.stringContaining(`nests ${LIMITS.depth + 1} fields`)]);
  });

  test('fragments count where they are spread', () => {
    const half = Math.ceil(LIMITS.depth / 2);
    const inside = `${'{ child '.repeat(half)}{ id }${' }'.repeat(half)}`;
    expect(
      problems(`{ root ${'{ child '.repeat(half)}{ ...F }${' }'.repeat(half)} } fragment F on Node ${inside}`),
    ).toEqual([expect.stringContaining('fields deep')]);
  });

  test('a fragment that spreads itself is refused, not followed for ever', () => {
    expect(problems('{ root { ...F } } fragment F on Node { child { ...F } }')).toEqual([
      expect.stringContaining('Cannot spread fragment "F" within itself'),
    ]);
  });
});

test('a document may have as many aliases as the limit and no more', () => {
  const aliased = (count: number) => `{ root { ${Array.from({ length: count }, (_, i) => `a${i}: id`).join(' ')} } }`;
  expect(problems(aliased(LIMITS.aliases))).toEqual([]);
  expect(problems(aliased(LIMITS.aliases + 1))).toEqual([expect.stringContaining('aliased fields')]);
});

describe('cost', () => {
  test('leaves are free, objects cost one, lists ten entries, pages what was asked for', () => {
    expect(cost('{ root { id } }')).toBe(1);
    expect(cost('{ root { child { id } } }')).toBe(2);
    expect(cost('{ root { list { child { id } } } }')).toBe(1 + 1 + 10);
    expect(cost('{ root { children(first: 100) { edges { node { id } } } } }')).toBe(1 + 1 + 100 * 2);
  });

  test('pages inside pages multiply, and a page size in a variable counts', () => {
    const query = `query ($n: Int) { root { children(first: $n) { edges { node {
      children(first: $n) { edges { node { id } } } } } } } }`;
    expect(() => cost(query, { n: 500 })).toThrow(/costs \d+; at most/);
    expect(cost(query, { n: 10 })).toBeLessThan(LIMITS.cost);
  });
});

test('a page size of null costs what resolvers take it for', () => {
  const nodes = '{ edges { node { id } } }';
  expect(cost(`{ root { children(first: null) ${nodes} } }`)).toBe(cost(`{ root { children(first: 50) ${nodes} } }`));
  expect(cost(`{ root { children ${nodes} } }`)).toBe(cost(`{ root { children(first: 50) ${nodes} } }`));
  const paged = `query ($n: Int) { paged(first: $n) ${nodes} }`;
  expect(cost(paged, { n: null })).toBe(cost(paged, { n: 20 }));
});

test('a list costs as many entries as the caller names', () => {
  const named = 'query ($ids: [ID!]!) { named(ids: $ids) { child { id } } }';
  expect(cost(named, { ids: Array.from({ length: 500 }, String) })).toBe(1 + 500);
  expect(cost(named, { ids: ['1'] })).toBe(1 + 10);
});

test('wrong variables are the caller’s mistake, told a few at a time', () => {
  const document = parse('query ($ids: [ID!]!) { named(ids: $ids) { id } }');
  const variables = { ids: Array.from({ length: 200_000 }, () => ({})) };
  expect(() => coerceOperation({ schema, document, variables, operationName: undefined })).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('"ids[0]"'),
      extensions: { code: 'BAD_INPUT', http: { status: 400 } },
    }),
  );
});

test('a page has fifty entries unless asked, and never more than the limit', () => {
  expect(pageSize(null)).toBe(50);
  expect(pageSize(LIMITS.pageSize)).toBe(LIMITS.pageSize);
  expect(() => pageSize(LIMITS.pageSize + 1)).toThrow(`expected 0 to ${LIMITS.pageSize}`);
  expect(() => pageSize(-1)).toThrow('received -1');
});

import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { whyChanged } from '#src/base/lib/changedNumber.ts';

/** Deeper values are refused: what reads them may walk them recursively. */
const MAXIMUM_DEPTH = 64;

function refuseDepth(depth: number): void {
  if (depth > MAXIMUM_DEPTH) throw new GraphQLError(`a JSON value may be at most ${MAXIMUM_DEPTH} levels deep`);
}

function refuseKey(key: string): void {
  // assigning it would replace a prototype instead of adding a member
  if (key === '__proto__') throw new GraphQLError('a JSON object may not have a member named __proto__');
}

function keptNumber(text: string): number {
  const why = whyChanged(text);
  if (why !== null) throw new GraphQLError(`${text} ${why}`);
  return Number(text);
}

function checkJson(value: unknown, depth = 0): unknown {
  refuseDepth(depth);
  if (Array.isArray(value)) {
    for (const item of value) checkJson(item, depth + 1);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      refuseKey(key);
      checkJson(member, depth + 1);
    }
  }
  return value;
}

function fromLiteral(node: ValueNode, variables: Readonly<Record<string, unknown>>, depth: number): unknown {
  refuseDepth(depth);
  switch (node.kind) {
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return keptNumber(node.value);
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return node.values.map((item) => fromLiteral(item, variables, depth + 1));
    case Kind.OBJECT: {
      const object: Record<string, unknown> = {};
      for (const field of node.fields) {
        refuseKey(field.name.value);
        object[field.name.value] = fromLiteral(field.value, variables, depth + 1);
      }
      return object;
    }
    case Kind.VARIABLE:
      return checkJson(variables[node.name.value], depth);
    case Kind.ENUM:
      throw new GraphQLError(`a JSON value cannot be the bare word ${node.value}: write "${node.value}"`);
  }
}

export const jsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => checkJson(value),
  parseLiteral: (node, variables) => fromLiteral(node, variables ?? {}, 0),
});

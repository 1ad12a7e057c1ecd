import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** The greatest step: every whole number up to it is a double, so steps need no second representation. */
export const MAXIMUM_STEP = 2 ** 53;

function checkStep(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAXIMUM_STEP) {
    throw new GraphQLError(`a Step is a whole number from 0 to 2^53, got ${JSON.stringify(value)?.slice(0, 100)}`);
  }
  return value;
}

/** MLflow's clients may have logged steps below 0. */
function serializeStep(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= MAXIMUM_STEP
    ? value
    : checkStep(value);
}

export const stepScalar = new GraphQLScalarType<number, number>({
  name: 'Step',
  description: 'A step: a whole number from 0 to 2^53.',
  serialize: serializeStep,
  parseValue: checkStep,
  parseLiteral(node) {
    if (node.kind !== Kind.INT) throw new GraphQLError('a Step is a whole number from 0 to 2^53');
    // 2^53 + 1 would round to 2^53 as a double
    if (BigInt(node.value) > BigInt(MAXIMUM_STEP)) throw new GraphQLError(`a Step is at most 2^53, got ${node.value}`);
    return checkStep(Number(node.value));
  },
});

import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** The greatest step: every whole number up to it is a double, so steps need no second representation. */
export const MAXIMUM_STEP = 2 ** 53;

const EXPECTED = 'a Step is a whole number from -2^53 to 2^53';

function checkStep(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= MAXIMUM_STEP) return value;
  throw new GraphQLError(`${EXPECTED}, got ${JSON.stringify(value)?.slice(0, 100)}`);
}

/** One scalar for all steps. What may be below 0 the services know: points that other trackers logged. */
export const stepScalar = new GraphQLScalarType<number, number>({
  name: 'Step',
  description: 'A step: a whole number from 0 to 2^53; below 0 only where repeated points of other trackers are taken.',
  serialize: checkStep,
  parseValue: checkStep,
  parseLiteral(node) {
    if (node.kind !== Kind.INT) throw new GraphQLError(EXPECTED);
    // 2^53 + 1 would round to 2^53 as a double
    const exact = BigInt(node.value);
    if (exact > BigInt(MAXIMUM_STEP) || exact < -BigInt(MAXIMUM_STEP)) {
      throw new GraphQLError(`${EXPECTED}, got ${node.value}`);
    }
    return Number(node.value);
  },
});

import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const NON_FINITE = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);
const EXPECTED = 'a MetricValue is a number, "NaN", "Infinity" or "-Infinity"';

function fromText(text: string): number {
  const value = NON_FINITE.get(text);
  if (value === undefined) throw new GraphQLError(`${EXPECTED}, got ${JSON.stringify(text.slice(0, 100))}`);
  return value;
}

function fromNumber(value: number): number {
  // JSON has no infinities: one that arrives as a number was a literal such as 1e999
  if (!Number.isFinite(value)) throw new GraphQLError(`${EXPECTED}, got a number beyond 64-bit floats`);
  return value;
}

/** Floats of 64 bits; what JSON cannot say travels as a string. */
export const metricValueScalar = new GraphQLScalarType<number, number | string>({
  name: 'MetricValue',
  description: 'A float of 64 bits: a JSON number, or one of the strings "NaN", "Infinity" and "-Infinity".',
  serialize(value) {
    if (typeof value !== 'number') throw new GraphQLError('internal: a MetricValue was no number');
    return Number.isFinite(value) ? value : String(value);
  },
  parseValue(value) {
    if (typeof value === 'number') return fromNumber(value);
    if (typeof value === 'string') return fromText(value);
    throw new GraphQLError(`${EXPECTED}, got ${JSON.stringify(value)?.slice(0, 100)}`);
  },
  parseLiteral(node) {
    if (node.kind === Kind.INT || node.kind === Kind.FLOAT) return fromNumber(Number(node.value));
    if (node.kind === Kind.STRING) return fromText(node.value);
    throw new GraphQLError(EXPECTED);
  },
});

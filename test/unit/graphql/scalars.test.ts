import { GraphQLError, Kind, parseValue, type ValueNode } from 'graphql';
import { describe, expect, test } from 'vitest';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { stepScalar } from '#src/base/graphql/stepScalar.ts';

const literal = (text: string): ValueNode => parseValue(text);

describe('MetricValue', () => {
  const values = [0, -1.5, 5e-324, 1.7976931348623157e308, 2 ** 53, NaN, Infinity, -Infinity];

  test.each(values)('%s comes through JSON and back unchanged', (value) => {
    const wire: unknown = JSON.parse(JSON.stringify(metricValueScalar.serialize(value)));
    expect(metricValueScalar.parseValue(wire)).toBe(value);
  });

  test.each(['nan', '1', 'inf', '+Infinity', ''])('the string %j is refused', (text) => {
    expect(() => metricValueScalar.parseValue(text)).toThrow(GraphQLError);
  });

  test('a number beyond 64-bit floats is refused, in variables and in the document', () => {
    expect(() => metricValueScalar.parseValue(JSON.parse('1e999'))).toThrow('beyond 64-bit');
    expect(() => metricValueScalar.parseLiteral(literal('1e999'))).toThrow('beyond 64-bit');
  });

  test('literals may be numbers or the three names', () => {
    expect(metricValueScalar.parseLiteral(literal('0.25'))).toBe(0.25);
    expect(metricValueScalar.parseLiteral(literal('-3'))).toBe(-3);
    expect(metricValueScalar.parseLiteral(literal('"-Infinity"'))).toBe(-Infinity);
    expect(() => metricValueScalar.parseLiteral(literal('NaN'))).toThrow('a MetricValue is');
  });
});

describe('Step', () => {
  test.each([-(2 ** 53), -1, 0, 1, 2 ** 31, 2 ** 53])('%d is a step', (step) => {
    expect(stepScalar.parseValue(step)).toBe(step);
    expect(stepScalar.parseLiteral(literal(String(step)))).toBe(step);
    expect(stepScalar.serialize(step)).toBe(step);
  });

  test.each([0.5, 2 ** 53 + 2, NaN, '1', null])('%s is refused', (value) => {
    expect(() => stepScalar.parseValue(value)).toThrow('whole number from -2^53 to 2^53');
  });

  test('2^53 + 1 is refused in a document, where it is still told apart from 2^53', () => {
    expect(() => stepScalar.parseLiteral(literal('9007199254740993'))).toThrow('to 2^53, got 9007199254740993');
  });
});

describe('JSON', () => {
  test('any JSON comes through as it is, in variables and in the document', () => {
    const value = { a: [1, 2.5, 'x', null, true], b: { c: {} } };
    expect(jsonScalar.parseValue(value)).toEqual(value);
    expect(jsonScalar.parseLiteral(literal('{ a: [1, 2.5, "x", null, true], b: { c: {} } }'))).toEqual(value);
  });

  test('variables inside a literal are filled in', () => {
    const node: ValueNode = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: 'x' } };
    expect(jsonScalar.parseLiteral(node, { x: { deep: 1 } })).toEqual({ deep: 1 });
  });

  test('bare words are refused with what to write instead', () => {
    expect(() => jsonScalar.parseLiteral(literal('relu'))).toThrow('write "relu"');
  });

  test('a value too deep to walk and a member that would replace a prototype are refused', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(() => jsonScalar.parseValue(deep)).toThrow('levels deep');
    expect(() => jsonScalar.parseValue(JSON.parse('{"a":{"__proto__":{"x":1}}}'))).toThrow('__proto__');
    expect(() => jsonScalar.parseLiteral(literal('{ __proto__: {} }'))).toThrow('__proto__');
  });
});

describe('DateTime', () => {
  test('dates go out in UTC and come in with any offset', () => {
    expect(dateTimeScalar.serialize(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(dateTimeScalar.parseValue('2026-11-21T10:00:00+01:00')).toEqual(new Date('2026-11-21T09:00:00Z'));
  });

  test.each(['yesterday', '2026-11-21', '2026-13-01T00:00:00Z', 5])('%s is refused', (value) => {
    expect(() => dateTimeScalar.parseValue(value)).toThrow('2026-11-21T09:30:00Z');
  });
});

import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { formatGraphqlError } from '#src/graphql/formatGraphqlError.ts';

function format(error: unknown) {
  const reported: { error: Error; id: string }[] = [];
  const formatted = formatGraphqlError(error, (inner, id) => reported.push({ error: inner, id }));
  return { formatted, reported };
}

const thrownByResolver = (originalError: Error): GraphQLError =>
  new GraphQLError(originalError.message, { originalError, path: ['run'] });

test('an error for people keeps its message, code and place in the input', () => {
  const { formatted, reported } = format(thrownByResolver(badInput('sigmaW: too small', 'parameters.sigmaW')));
  expect(formatted).toMatchObject({
    message: 'sigmaW: too small',
    path: ['run'],
    extensions: { code: 'BAD_INPUT', path: 'parameters.sigmaW' },
  });
  expect(reported).toEqual([]);
});

test.each([
  new TypeError("Cannot read properties of undefined (reading 'x')"),
  new WarrenError('INTERNAL', 'secret'),
  Object.assign(new Error('select secret from run'), { code: 'XX000' }),
  Object.assign(new Error('another library'), { code: 'CONFLICT' }),
])('what is not meant for people is masked and reported: %s', (inner) => {
  const { formatted, reported } = format(thrownByResolver(inner));
  expect(formatted.message).toMatch(/^internal error [0-9a-f-]{36}$/);
  expect(formatted.extensions).toEqual({ code: 'INTERNAL', id: reported[0]?.id });
  expect(JSON.stringify(formatted)).not.toContain('secret');
  expect(reported[0]?.error).toBe(inner);
});

test('our own mark of a bug is masked too', () => {
  const { formatted, reported } = format(new GraphQLError('internal: a MetricValue was no number', { path: ['x'] }));
  expect(formatted.message).not.toContain('MetricValue');
  expect(reported).toHaveLength(1);
});

test.each(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT', 'BAD_REQUEST', undefined])(
  'code %s is the caller’s mistake',
  (code) => {
    const extensions = code === undefined ? {} : { code };
    expect(format(new GraphQLError('wrong', { extensions })).formatted).toMatchObject({
      message: 'wrong',
      extensions: { code: 'BAD_INPUT' },
    });
  },
);

test('the place of a wrong variable is told', () => {
  const message = 'Variable "$input" got invalid value "x" at "input.seeds[0]"; Int cannot represent non-integer value';
  expect(format(new GraphQLError(message)).formatted.extensions).toEqual({ code: 'BAD_INPUT', path: 'input.seeds[0]' });
});

test('what repeats a large input is shortened, and its place still told', () => {
  const value = 'got invalid value '.repeat(50_000);
  const message = `Variable "$input" got invalid value "${value}" at "input.seeds[0]"; Int cannot represent non-integer value`;
  const { formatted } = format(new GraphQLError(message));
  expect(formatted.message.length).toBeLessThan(2_200);
  expect(formatted.message).toMatch(/^Variable "\$input" got .* characters left out .*Int cannot represent/s);
  expect(formatted.extensions).toEqual({ code: 'BAD_INPUT', path: 'input.seeds[0]' });
});

test('a database that cannot be reached is said to be away, without its address', () => {
  const driver = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });
  const { formatted, reported } = format(thrownByResolver(new Error('query failed', { cause: driver })));
  expect(formatted.extensions?.code).toBe('UNAVAILABLE');
  expect(formatted.message).not.toContain('10.0.0.1');
  expect(reported).toHaveLength(1);
});

test.each([
  Object.assign(new Error('could not extend file "base/5/1": No space left on device'), { code: '53100' }),
  // of a connection that PostgreSQL cannot open, up to version 15 and after it
  Object.assign(new Error('could not write init file'), { code: 'XX000' }),
  Object.assign(new Error('query failed'), { cause: { message: 'could not write file: No space left on device' } }),
])('a full disk of the database is told: %s', (inner) => {
  const { formatted } = format(thrownByResolver(inner));
  expect(formatted.message).toContain("the database's disk or memory is full");
  expect(formatted.extensions?.code).toBe('UNAVAILABLE');
});

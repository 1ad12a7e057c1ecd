/** A value that is wrong, or as far out as it may be, and what to call it. */
interface BadValue {
  what: string;
  value: unknown;
}

const named = (values: Readonly<Record<string, unknown>>): BadValue[] =>
  Object.entries(values).map(([what, value]) => ({ what, value }));

const position = (text: string) => Buffer.from(text).toString('base64url');

/** As large as a request may nearly be. */
const LARGE = 900_000;

export const BAD_TEXTS = named({
  empty: '',
  blank: '   ',
  NUL: '\0',
  'NUL inside': 'a\0b',
  'a lone surrogate': 'a\ud800b',
  'a lone low surrogate': '\udfff',
  control: 'a\u0007\u001b[31mb',
  'right to left': '\u202eabc',
  emoji: '😀'.repeat(300),
  large: 'x'.repeat(LARGE),
  __proto__: '__proto__',
  constructor: 'constructor',
  SQL: `x'); DROP TABLE run; --`,
  'SQL quote': `"'\\`,
  wildcards: '%_*?[a-z]',
  'regular expression': '(a+)+$',
  parentheses: '('.repeat(5_000),
  negations: 'not '.repeat(5_000),
  'a path upwards': '../../etc/passwd',
  'an absolute path': '/etc/passwd',
  'a path of Windows': 'C:\\windows\\x',
  'minus one': '-1',
  'beyond 32 bits': '2147483648',
  'beyond 53 bits': '9007199254740993',
  'beyond 64 bits': '99999999999999999999',
  'many digits': '9'.repeat(400),
  'not a number': 'NaN',
  infinite: '-Infinity',
  'no id': '00000000-0000-0000-0000-000000000000',
  'half an id': '00000000-0000',
  'an unknown run': '999999999',
  'a hash': 'f'.repeat(64),
  'base64 of nothing': '',
  'a cursor of nonsense': position('nonsense'),
  'a cursor of null': position('null'),
  'a cursor of a list': position('[]'),
  'a cursor with large numbers': position('{"o":"number DESC","n":1e308,"k":[]}'),
  'a cursor with text': position('{"o":"number DESC","n":"1; --","k":[{}]}'),
  'a cursor with NUL': position('{"o":"number DESC\\u0000","n":1,"k":["\\u0000"]}'),
  'a cursor of a log': position('9007199254740993:-1'),
  'a filter of a large number': 'seed = 1e400 and created > 99999999w',
  'a filter with NUL': 'name = "a\0b"',
  'a filter with a pattern': 'name ~ "(a+)+$"',
  'a filter with a wrong field': 'metric."" > NaN and config.__proto__ = 1',
  'a metric of an order': 'metric."\0"',
  'a year beyond': '275760-09-13T00:00:00Z',
});

export const BAD_NUMBERS = named({
  'minus one': -1,
  zero: 0,
  'minus zero': -0,
  half: 0.5,
  tiny: 1e-320,
  '2^31 - 1': 2_147_483_647,
  '2^31': 2_147_483_648,
  '-2^31': -2_147_483_648,
  '2^53 - 1': Number.MAX_SAFE_INTEGER,
  '2^53 + 2': 9_007_199_254_740_994,
  '-2^53': -9_007_199_254_740_992,
  '1e308': 1e308,
  '-1e308': -1e308,
  'a text': '1',
  NaN: 'NaN',
  Infinity: 'Infinity',
});

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

export const BAD_JSON: BadValue[] = [
  ...named({
    empty: {},
    'a list': [],
    'a text': 'text',
    'a number': 7,
    true: true,
    'deep objects': nested(3_000, (inner) => ({ a: inner })),
    'deep lists': nested(3_000, (inner) => [inner]),
    'many keys': Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1])),
    'a long list': Array.from({ length: 100_000 }, () => 1),
    prototype: JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
    'keys of nothing': { '': 1, ' ': 2 },
    'a key with NUL': { 'a\0b': 1 },
    'a key with a lone surrogate': { '\ud800': 1 },
    'texts with NUL': { a: '\0', b: ['\ud800'] },
    'large numbers': { a: 1e308, b: 9_007_199_254_740_994, c: -0 },
    'a large text': { a: 'x'.repeat(LARGE) },
    'a long key': { ['k'.repeat(100_000)]: 1 },
    'dots in keys': { 'a.b': 1, a: { b: 2 }, 'a..b': 3 },
    nulls: { a: null, b: [null] },
  }),
];

/** The value with another one in a place; lists and objects that are not there are made. */
export function withValue(value: unknown, path: readonly (string | number)[], put: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return put;
  if (typeof first === 'number') {
    const list = Array.isArray(value) ? [...(value as unknown[])] : [];
    list[first] = withValue(list[first], rest, put);
    return list;
  }
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...object, [first]: withValue(Reflect.get(object, first), rest, put) };
}

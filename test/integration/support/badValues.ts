import {
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
} from 'graphql';

/** A value that is wrong, or as far out as it may be, and what to call it. */
export interface BadValue {
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

const BAD_DATES = named({
  empty: '',
  zero: '0000-00-00T00:00:00Z',
  'the thirtieth of February': '2020-02-30T00:00:00Z',
  'the last year': '9999-12-31T23:59:59.999Z',
  'year one': '0001-01-01T00:00:00Z',
  'before it': '-000001-01-01T00:00:00Z',
  'as early as may be': '-271821-04-20T00:00:00.000Z',
  'as late as may be': '+275760-09-13T00:00:00.000Z',
  'a word': 'tomorrow',
  'a number': 8.64e15,
  NUL: '2020-01-01T00:00:00Z\0',
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

/** Where in the arguments of an operation a value is, and of which type. */
export interface Place {
  path: readonly (string | number)[];
  type: GraphQLInputType;
}

/** Every argument, and every member of those that are objects, however deep. */
export function placesOf(args: readonly GraphQLArgument[]): Place[] {
  return args.flatMap(({ name, type }) => within({ path: [name], type }));
}

function within(place: Place): Place[] {
  let { type } = place;
  const path = [...place.path];
  while (isNonNullType(type) || isListType(type)) {
    if (isListType(type)) path.push(0);
    type = type.ofType;
  }
  const inner = isInputObjectType(type)
    ? Object.values(type.getFields()).flatMap((field) => within({ path: [...path, field.name], type: field.type }))
    : path.length > place.path.length
      ? [{ path, type }]
      : [];
  return [place, ...inner];
}

const LISTED = 20_000;

/** What to put there. `given`: what is there in a request that succeeds. */
export function badValues(given: GraphQLInputType, item: unknown): BadValue[] {
  const type = isNonNullType(given) ? given.ofType : given;
  const none = { what: 'null', value: null };
  if (isListType(type)) {
    const [one] = Array.isArray(item) && item.length > 0 ? (item as unknown[]) : ['1'];
    return [
      none,
      ...named({ 'an empty list': [], 'the same twice': [one, one], 'a null in it': [null], 'a list in it': [[one]] }),
      // short ones, so that it is no more than a request may be
      { what: 'a long list', value: Array.from({ length: LISTED }, () => (typeof one === 'string' ? '1' : one)) },
      { what: 'no list', value: {} },
    ];
  }
  if (isInputObjectType(type)) return [none, ...named({ empty: {}, 'a text': 'x', 'a list of it': [{}, {}] })];
  if (isEnumType(type)) return [none, ...named({ 'a wrong word': 'WRONG', 'small letters': 'read', 'a number': 1 })];
  switch (type.name) {
    case 'Boolean':
      return [none, ...named({ 'a text': 'true', 'a number': 1 })];
    case 'Int':
    case 'Float':
    case 'Step':
    case 'MetricValue':
      return [none, ...BAD_NUMBERS];
    case 'DateTime':
      return [none, ...BAD_DATES];
    case 'JSON':
      return [none, ...BAD_JSON];
    default:
      return [none, ...BAD_TEXTS, { what: 'a number', value: 1e21 }, { what: 'an object', value: {} }];
  }
}

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

/** What stands in a place. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, part) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined),
    value,
  );
}

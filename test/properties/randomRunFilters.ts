import type { JsonScalar, Operator, RunFilter, TimeSpan } from '#src/base/contracts/runFilter/syntax.ts';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { PlainRun } from './runFilterReference.ts';

/** Few values, so that conditions meet runs; odd ones, so that quoting and patterns are put to the test. */
export const TEXTS = [
  'a',
  'B',
  'b',
  'ab',
  'a%b',
  'a_b',
  'a\\b',
  '"',
  "it's",
  'é',
  'Ä',
  '\u{1f600}',
  '\uffff',
  'a.b',
  ' ',
  '',
];
export const NUMBERS = [0, 1, 2, -1, 0.5, 1e-7, 1e300, 12345678901];
const ODD_NUMBERS = [...NUMBERS, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const OPERATORS: readonly Operator[] = ['=', '!=', '<', '<=', '>', '>='];
const TEXT_FIELDS = ['kind', 'dataset', 'name', 'project', 'worker', 'notes', 'error', 'errorCode'] as const;
const PATTERNS = ['%', 'a%', '%b', '_', 'a_b', 'a\\_b', '%\\%%', 'A%', '%\\\\%', '', '%é', '__'];
const METRICS = ['m', 'test/ndcg@10', 'a.b', 'x "y"'];
const LOGGED = ['phase', 'a.b', 'x "y"'];
const PATHS = [['p'], ['sigma_w'], ['sigmaW'], ['o', 'p'], ['o', 'odd.key'], ['list'], ['gone']];
export const TIMES = [0, 86_400_000, 86_400_001, 1_000_000_000_000, 1_000_000_000_123];

export function pick<Value>(random: RandomGenerator, values: readonly Value[]): Value {
  return values[random.nextInt(values.length)]!;
}

function several<Value>(random: RandomGenerator, values: readonly Value[]): Value[] {
  return Array.from({ length: 1 + random.nextInt(3) }, () => pick(random, values));
}

function randomSpan(random: RandomGenerator): TimeSpan {
  if (random.nextInt(4) === 0) {
    const start = 1000 * (random.nextInt(900_000) - 450_000) || 1000;
    return { relative: true, start, end: start + 1 };
  }
  const start = pick(random, TIMES);
  return start % 86_400_000 === 0 && random.nextInt(2) === 0
    ? { relative: false, start, end: start + 86_400_000 }
    : { relative: false, start, end: start + 1 };
}

function randomScalar(random: RandomGenerator): JsonScalar {
  return pick<JsonScalar>(random, [...NUMBERS, ...TEXTS, true, false]);
}

function randomCondition(random: RandomGenerator): RunFilter {
  const negated = random.nextInt(2) === 0;
  const operator = pick(random, OPERATORS);
  const text = pick(random, [
    { type: 'text', name: pick(random, TEXT_FIELDS) },
    { type: 'text', name: pick(random, TEXT_FIELDS) },
    { type: 'loggedText', name: pick(random, LOGGED) },
  ] as const);
  const number = pick(random, [
    { type: 'number', name: pick(random, ['seed', 'priority', 'attempt', 'progress', 'duration'] as const) },
    {
      type: 'metric',
      summary: pick(random, ['last', 'minimum', 'maximum'] as const),
      name: pick(random, METRICS),
    },
  ] as const);
  const json = {
    type: 'json',
    root: pick(random, ['parameters', 'dataset', 'environment'] as const),
    path: pick(random, PATHS),
  } as const;
  const time = { type: 'time', name: pick(random, ['created', 'started', 'ended'] as const) } as const;
  const like = { type: 'like', negated, caseless: random.nextInt(2) === 0, pattern: pick(random, PATTERNS) } as const;
  const scalar = randomScalar(random);
  const equality = pick(random, ['=', '!='] as const);
  return pick<() => RunFilter>(random, [
    () => ({ type: 'compareText', field: text, operator, value: pick(random, TEXTS) }),
    () => ({ type: 'compareNumber', field: number, operator, value: pick(random, ODD_NUMBERS) }),
    () => ({ type: 'compareNumber', field: number, operator, value: pick(random, ODD_NUMBERS) }),
    () => ({ type: 'compareTime', field: time, operator, value: randomSpan(random) }),
    () => ({
      type: 'compareJson',
      field: json,
      operator: typeof scalar === 'boolean' ? equality : operator,
      value: scalar,
    }),
    () => ({ type: 'inTexts', field: text, negated, values: several(random, TEXTS) }),
    () => ({ type: 'inNumbers', field: number, negated, values: several(random, ODD_NUMBERS) }),
    () => ({ type: 'inJson', field: json, negated, values: several(random, [...TEXTS, ...NUMBERS, true, false]) }),
    () => ({ type: 'inStates', field: { type: 'state' }, negated, values: several(random, RUN_STATES) }),
    () => ({ type: 'inTags', field: { type: 'tag' }, negated, values: several(random, TEXTS) }),
    () => ({ ...like, field: pick(random, [text, json, { type: 'tag' }] as const) }),
    () => ({ type: 'null', field: pick(random, [text, number, time, json, { type: 'tag' }] as const), negated }),
  ])();
}

/** A filter of at most `depth` levels. */
export function randomFilter(random: RandomGenerator, depth: number): RunFilter {
  if (depth === 0 || random.nextInt(3) === 0) return randomCondition(random);
  if (random.nextInt(4) === 0) return { type: 'not', operand: randomFilter(random, depth - 1) };
  const operands = Array.from({ length: 2 + random.nextInt(2) }, () => randomFilter(random, depth - 1));
  return { type: pick(random, ['and', 'or'] as const), operands };
}

function randomJson(random: RandomGenerator): unknown {
  const leaf = () => pick<unknown>(random, [randomScalar(random), randomScalar(random), null, [1], {}]);
  const members: [string, unknown][] = [
    ['p', leaf()],
    [pick(random, ['sigmaW', 'sigma_w']), leaf()],
    ['o', pick<unknown>(random, [{ p: leaf(), 'odd.key': leaf() }, leaf()])],
    ['list', pick<unknown>(random, [[1, 'a'], leaf()])],
  ];
  return Object.fromEntries(members.filter(() => random.nextInt(3) > 0));
}

/** A run with gaps: not everything has a value. */
export function randomRun(random: RandomGenerator): PlainRun {
  const maybe = <Value>(value: Value) => (random.nextInt(3) === 0 ? null : value);
  const text = () => pick(random, TEXTS);
  const started = maybe(pick(random, TIMES));
  // Without an end the duration would grow while the test runs.
  const ended = started === null ? null : started + 1000 * random.nextInt(3);
  const finite = () => pick(random, NUMBERS);
  const metrics = METRICS.filter(() => random.nextInt(2) === 0).map(
    (name) => [name, { last: pick(random, ODD_NUMBERS), minimum: maybe(finite()), maximum: maybe(finite()) }] as const,
  );
  return {
    texts: {
      kind: text(),
      dataset: maybe(text()),
      name: text(),
      project: `p${text()}`,
      worker: maybe(text()),
      notes: text(),
      error: maybe(text()),
      errorCode: maybe(text()),
    },
    logged: Object.fromEntries(
      LOGGED.filter(() => random.nextInt(2) === 0).map((name) => [
        name,
        random.nextInt(3) > 0 ? [text()] : [text(), text()],
      ]),
    ),
    numbers: {
      seed: random.nextInt(3),
      priority: 1 + random.nextInt(3),
      attempt: random.nextInt(3),
      progress: pick(random, [0, 0.5, 1]),
      duration: started === null || ended === null ? null : (ended - started) / 1000,
    },
    times: { created: pick(random, TIMES), started, ended },
    state: pick(random, RUN_STATES),
    tags: maybe(several(random, TEXTS)) ?? [],
    metrics: Object.fromEntries(metrics),
    json: { parameters: randomJson(random), dataset: maybe(randomJson(random)), environment: randomJson(random) },
  };
}

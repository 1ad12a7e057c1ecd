/** A number as programs print it; one with zeros before it is a name. */
const NUMBER = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
]);

const LARGEST_SEED = 2_147_483_647;

function typed(text: string): unknown {
  if (WORDS.has(text)) return WORDS.get(text);
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  // digits that a double does not hold stay what they are
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? value : text;
}

/**
 * The parameters that texts stand for: numbers, true, false and null where a text is one, under the parts of their names
 * (`optimizer.lr` is `lr` in `optimizer`, unless there is an `optimizer` too), and the seed, which is a whole number called
 * `seed` and no parameter: runs that differ in it alone are replicates.
 */
export function typedParameters(texts: Readonly<Record<string, string>>): {
  parameters: Record<string, unknown>;
  seed: number;
} {
  const parameters: Record<string, unknown> = {};
  let seed = 0;
  const keys = Object.keys(texts).sort();
  const known = new Set(keys);
  for (const key of keys) {
    const value = typed(texts[key] ?? '');
    if (key === 'seed' && typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LARGEST_SEED) {
      seed = value;
      continue;
    }
    const parts = key.split('.');
    const isPlain =
      parts.some((part) => part === '') || parts.some((_, end) => end > 0 && known.has(parts.slice(0, end).join('.')));
    place(parameters, isPlain ? [key] : parts, value);
  }
  return { parameters, seed };
}

function place(parameters: Record<string, unknown>, [head = '', ...rest]: readonly string[], value: unknown): void {
  const inner = Object.hasOwn(parameters, head) ? parameters[head] : undefined;
  let next = value;
  if (rest.length > 0) {
    const members: Record<string, unknown> = typeof inner === 'object' && inner !== null ? { ...inner } : {};
    place(members, rest, value);
    next = members;
  }
  Object.defineProperty(parameters, head, { value: next, enumerable: true, configurable: true, writable: true });
}

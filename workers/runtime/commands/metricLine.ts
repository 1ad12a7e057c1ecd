const PREFIX = 'warren: {';
const LONGEST_NAME = 500;
/** Python's `json.dumps` writes these bare, which is no JSON. */
const BARE = /(?<=[:,[\s])(NaN|-?Infinity)(?=\s*[,}\]])/g;
const NOT_FINITE = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

export interface MetricLine {
  /** Undefined where the line gives none. */
  step: number | undefined;
  values: [name: string, value: number][];
}

/**
 * Reads a line `warren: {"loss": 0.3, "step": 4}` by which a program in any language logs metrics. Members of inner objects
 * are named with `/`; what is no number is left out.
 * @returns null for any other line, and for one without a number: it is a line of the log.
 */
export function parseMetricLine(line: string): MetricLine | null {
  if (!line.startsWith(PREFIX)) return null;
  const found = parseObject(line.slice('warren: '.length));
  if (found === null) return null;
  const { step, ...members } = found;
  const isStep = typeof step === 'number' && Number.isSafeInteger(step) && step >= 0;
  if (step !== undefined && !isStep) return null;
  const values = [...numbersIn(members, '')];
  return values.length === 0 ? null : { step: isStep ? step : undefined, values };
}

function parseObject(text: string): Record<string, unknown> | null {
  for (const candidate of [text, text.replace(BARE, '"$1"')]) {
    try {
      const value: unknown = JSON.parse(candidate);
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
    } catch {
      // the next form, or none
    }
  }
  return null;
}

function* numbersIn(members: Record<string, unknown>, prefix: string): Generator<[string, number]> {
  for (const [member, value] of Object.entries(members)) {
    const name = `${prefix}${member}`;
    if (member === '' || name.length > LONGEST_NAME) continue;
    const number = typeof value === 'string' ? NOT_FINITE.get(value) : value;
    if (typeof number === 'number') yield [name, number];
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      yield* numbersIn({ ...value }, `${name}/`);
    }
  }
}

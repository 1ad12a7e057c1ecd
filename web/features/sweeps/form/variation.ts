import { formatNumber } from '#web/lib/formatNumber.ts';
import type { FieldControl, SchemaField } from '#web/lib/schemaField.ts';

export type DistributionName =
  | 'log_uniform_values'
  | 'uniform'
  | 'int_uniform'
  | 'q_uniform'
  | 'q_log_uniform_values'
  | 'normal'
  | 'log_normal'
  | 'categorical';

export type NumberName = 'min' | 'max' | 'q' | 'mu' | 'sigma';

/** One parameter that a sweep varies, as it is typed. */
export interface Variation {
  /** `parameters.optimizer.learningRate`, `dataset.core`: as the form of a run names its fields. */
  path: string;
  distribution: DistributionName;
  numbers: Readonly<Record<NumberName, string>>;
  /** JSON values separated by commas; bare words are texts. */
  values: string;
  /** Drawn only beside certain values of another parameter; null: always. */
  when: Condition | null;
}

export interface Condition {
  /** The path of the other one, which is a list of values. */
  path: string;
  /** Those of its values that it is drawn beside, as texts. */
  values: readonly string[];
}

interface Form {
  label: string;
  takes: readonly NumberName[];
}

/** What can be typed of each distribution. */
export const FORMS: Readonly<Record<DistributionName, Form>> = {
  log_uniform_values: { label: 'Range, logarithmic', takes: ['min', 'max'] },
  uniform: { label: 'Range', takes: ['min', 'max'] },
  int_uniform: { label: 'Whole numbers', takes: ['min', 'max'] },
  q_uniform: { label: 'Range in steps', takes: ['min', 'max', 'q'] },
  q_log_uniform_values: { label: 'Range in steps, logarithmic', takes: ['min', 'max', 'q'] },
  normal: { label: 'Normal', takes: ['mu', 'sigma'] },
  log_normal: { label: 'Log-normal', takes: ['mu', 'sigma'] },
  categorical: { label: 'List of values', takes: [] },
};

export const NUMBER_LABELS: Readonly<Record<NumberName, string>> = {
  min: 'from',
  max: 'to',
  q: 'step',
  mu: 'mean',
  sigma: 's.d.',
};

/** What a number may be drawn from that is known by its name alone. */
export const ANY_NUMBER: readonly DistributionName[] = [
  ...(['log_uniform_values', 'uniform', 'int_uniform', 'q_uniform', 'q_log_uniform_values'] as const),
  ...(['normal', 'log_normal', 'categorical'] as const),
];

/** The distributions that fit a field. */
export function distributionsFor(control: FieldControl): DistributionName[] {
  if (control.type !== 'number') return ['categorical'];
  return control.integer
    ? ['int_uniform', 'q_log_uniform_values', 'q_uniform', 'categorical']
    : ['log_uniform_values', 'uniform', 'q_uniform', 'normal', 'log_normal', 'categorical'];
}

/** With what a field begins when it is varied: a range around its default, or all of its choices. */
export function startVariation(field: SchemaField, held: unknown): Variation {
  const { control, path } = field;
  const numbers = { min: '', max: '', q: '1', mu: '0', sigma: '1' };
  const list = (values: string): Variation => ({ path, distribution: 'categorical', numbers, values, when: null });
  if (control.type === 'choice') return list(control.options.join(', '));
  if (control.type === 'boolean') return list('true, false');
  const start = held ?? field.defaultValue;
  if (control.type !== 'number') {
    return list(start === undefined || start === null ? '' : JSON.stringify(start));
  }
  const { integer, minimum, maximum } = control;
  const middle = typeof start === 'number' ? start : (minimum ?? 1);
  const spread = !integer && middle > 0 && middle < 0.5 ? 10 : 2;
  const clamp = (value: number) => Math.min(maximum ?? value, Math.max(minimum ?? value, value));
  const low = integer ? Math.max(Math.min(1, middle), Math.floor(middle / spread)) : middle / spread;
  const ends = { min: clamp(low), max: clamp(middle > 0 ? middle * spread : middle + 1) };
  return {
    path,
    distribution: integer ? 'int_uniform' : middle > 0 && middle < 0.5 ? 'log_uniform_values' : 'uniform',
    numbers: { ...numbers, min: plain(ends.min), max: plain(ends.max) },
    values: typeof start === 'number' ? plain(start) : '',
    when: null,
  };
}

function plain(value: number): string {
  return String(Number(value.toPrecision(4)));
}

export type ReadVariation = { parameter: Record<string, unknown> } | { message: string };

/** The entry of a sweep file's `parameters` that a variation stands for, or what is wrong with it. */
export function readVariation(variation: Variation): ReadVariation {
  const read = readDistribution(variation);
  const { when } = variation;
  if (when === null || 'message' in read) return read;
  if (when.path === '') return { message: 'Only beside certain values: of which parameter?' };
  if (when.values.length === 0) return { message: `Only beside certain values of ${nameOf(when.path)}: choose some.` };
  return { parameter: { ...read.parameter, when: { [nameOf(when.path)]: when.values.map(readWord) } } };
}

/** The path of a parameter as sweep files name it. */
export function nameOf(path: string): string {
  return path.replace(/^parameters\./, '');
}

function readDistribution({ distribution, numbers, values }: Variation): ReadVariation {
  if (distribution === 'categorical') {
    const list = splitValues(values);
    if (list === null) return { message: 'Values separated by commas, such as 16, 32, 64.' };
    return { parameter: { values: list } };
  }
  const parameter: Record<string, unknown> = { distribution };
  for (const name of FORMS[distribution].takes) {
    const text = numbers[name].trim();
    const value = Number(text);
    if (text === '' || !Number.isFinite(value))
      return { message: `${NUMBER_LABELS[name]}: “${text}” is not a number.` };
    parameter[name] = value;
  }
  const { min, max } = parameter;
  if (typeof min === 'number' && typeof max === 'number') {
    if (min >= max)
      return { message: `From ${formatNumber(min)} to ${formatNumber(max)}: the second must be greater.` };
    if (distribution.includes('log') && min <= 0) return { message: 'A logarithmic range begins above zero.' };
  }
  return { parameter };
}

/** `1, 2.5, adam, true, [64, 32]` as JSON values; null where there are none. */
export function splitValues(text: string): unknown[] | null {
  const whole = jsonOf(`[${text}]`);
  if (Array.isArray(whole)) return whole.length === 0 ? null : whole;
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length === 0 ? null : parts.map(readWord);
}

/** The value of one word of a list. */
function readWord(word: string): unknown {
  return jsonOf(word) ?? (word === 'null' ? null : word);
}

/** A value as one word of a list, which `readVariation` reads again. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' && readWord(value) === value ? value : JSON.stringify(value);
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** How many points a grid over these has; null where one has infinitely many, depends on another, or cannot be read. */
export function gridSize(variations: readonly Variation[]): number | null {
  if (variations.some(({ when }) => when !== null)) return null;
  let size = 1;
  for (const variation of variations) {
    const read = readVariation(variation);
    if ('message' in read) return null;
    const { values, min, max, q } = read.parameter;
    if (Array.isArray(values)) size *= values.length;
    else if (typeof min !== 'number' || typeof max !== 'number') return null;
    else if (variation.distribution === 'int_uniform') size *= max - min + 1;
    else if (typeof q === 'number' && q > 0) size *= Math.round(max / q) - Math.round(min / q) + 1;
    else return null;
  }
  return size;
}

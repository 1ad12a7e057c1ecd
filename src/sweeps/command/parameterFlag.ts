import { badInput } from '#src/base/contracts/errors.ts';
import { parseAssignment } from '#src/base/terminal/arguments/assignments.ts';

/** Distributions of `--set path=name(…)`: W&B's name, and what stands in the parentheses. */
const FORMS: Readonly<Record<string, { distribution: string; takes: readonly string[] }>> = {
  uniform: { distribution: 'uniform', takes: ['min', 'max'] },
  loguniform: { distribution: 'log_uniform_values', takes: ['min', 'max'] },
  int: { distribution: 'int_uniform', takes: ['min', 'max'] },
  quniform: { distribution: 'q_uniform', takes: ['min', 'max', 'q'] },
  qloguniform: { distribution: 'q_log_uniform_values', takes: ['min', 'max', 'q'] },
  normal: { distribution: 'normal', takes: ['mu', 'sigma'] },
  lognormal: { distribution: 'log_normal', takes: ['mu', 'sigma'] },
};

const CALL = /^([a-z]+)\((.*)\)$/s;

/** Every form, for help texts. */
export const PARAMETER_FORMS = [
  ...Object.entries(FORMS).map(([name, { takes }]) => `${name}(${takes.join(',')})`),
  'choice(a,b,…)',
].join(' ');

/**
 * One `--set path=…` of a sweep as an entry of `parameters`: `loguniform(1e-4,1e-2)` is a distribution, anything else a
 * constant.
 * @throws WarrenError BAD_INPUT for a form that is not known, or with other arguments than it takes.
 */
export function parseParameterFlag(text: string): [path: string, parameter: Record<string, unknown>] {
  const { path, value } = parseAssignment(text);
  const name = path.join('.');
  const [, form = '', inner = ''] = typeof value === 'string' ? (CALL.exec(value) ?? []) : [];
  if (form === '') return [name, { value }];
  if (form === 'choice') return [name, { values: choices(inner, text) }];
  const known = Object.hasOwn(FORMS, form) ? FORMS[form] : undefined;
  if (known === undefined) throw badInput(`"${text}": there is no ${form}(); there are ${PARAMETER_FORMS}`, '--set');
  const numbers = inner.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (numbers.length !== known.takes.length || numbers.some((number) => !Number.isFinite(number))) {
    throw badInput(`"${text}": expected ${form}(${known.takes.join(',')}) with numbers`, '--set');
  }
  const fields = known.takes.map((field, index) => [field, numbers[index]]);
  return [name, { distribution: known.distribution, ...Object.fromEntries(fields) }];
}

/** Comma-separated values, each JSON or bare text. */
function choices(inner: string, text: string): unknown[] {
  const values = inner
    .split(',')
    .map((part) => part.trim())
    .map((part) => parseAssignment(`choice=${part}`).value);
  if (values.includes('')) throw badInput(`"${text}": expected values such as choice(1,2,4)`, '--set');
  return values;
}

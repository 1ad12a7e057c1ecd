import { z } from 'zod';
import { describeIssues, listProblems } from '#src/catalog/describeIssues.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { meantOrThere } from '#src/base/lib/nearNames.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { shownValue } from '#src/base/lib/shownValue.ts';
import type { Distribution, NumericDistribution, Spread } from './distribution.ts';

/** The condition under which a parameter is drawn: of another parameter, the values that switch it on. */
export interface Condition {
  path: string;
  values: readonly unknown[];
}

/** What a parameter of a sweep file may have: W&B's fields, and `when`, which is ours. */
const fieldsSchema = z.strictObject({
  distribution: z.string().optional(),
  value: z.unknown().optional(),
  values: z.array(z.unknown()).min(1).max(10_000).optional(),
  probabilities: z.array(z.number().min(0)).min(1).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  q: z.number().positive().optional(),
  mu: z.number().optional(),
  sigma: z.number().positive().optional(),
  a: z.number().positive().optional(),
  b: z.number().positive().optional(),
  when: z.record(z.string(), z.unknown()).optional(),
});
export type ParameterFields = z.infer<typeof fieldsSchema>;

interface Reading {
  /** Fields beside `distribution` and `when`. */
  takes: readonly (keyof ParameterFields)[];
  read(fields: ParameterFields, path: string): Distribution;
}

const numeric = (spread: Spread, step: number | null): NumericDistribution => ({ type: 'numeric', spread, step });

function range({ min, max }: ParameterFields, path: string): { min: number; max: number } {
  if (min === undefined || max === undefined) throw badInput(`${path}: expected min and max`, path);
  if (min > max) throw badInput(`${path}: min ${min} is above max ${max}`, path);
  return { min, max };
}

/** The logarithms of a range of values above 0. */
function logRange(fields: ParameterFields, path: string): { min: number; max: number } {
  const { min, max } = range(fields, path);
  if (min <= 0) throw badInput(`${path}: min ${min}: the logarithm needs values above 0`, path);
  return { min: Math.log(min), max: Math.log(max) };
}

/** A range of exponents of e, as W&B's older names take them. */
function exponents(fields: ParameterFields, path: string): { min: number; max: number } {
  const { min, max } = range(fields, path);
  if (max > 700) {
    throw badInput(`${path}: max ${max} is an exponent of e here; for values take log_uniform_values`, path);
  }
  return { min, max };
}

const bell = ({ mu = 0, sigma = 1 }: ParameterFields) => ({ mu, sigma });

function categories({ values, probabilities }: ParameterFields, path: string): Distribution {
  if (values === undefined) throw badInput(`${path}: expected values`, path);
  if (probabilities === undefined) {
    return { type: 'categorical', values, probabilities: values.map(() => 1 / values.length) };
  }
  const sum = probabilities.reduce((total, probability) => total + probability, 0);
  if (probabilities.length !== values.length || Math.abs(sum - 1) > 1e-6) {
    const seen = `${probabilities.length} that sum to ${Number(sum.toPrecision(6))}`;
    throw badInput(`${path}.probabilities: expected ${values.length} that sum to 1, received ${seen}`, path);
  }
  return { type: 'categorical', values, probabilities: probabilities.map((probability) => probability / sum) };
}

function whole(fields: ParameterFields, path: string): Distribution {
  const { min, max } = range(fields, path);
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max)) {
    throw badInput(`${path}: int_uniform needs whole numbers, received ${min} to ${max}`, path);
  }
  return numeric({ type: 'uniform', min: min - 0.5, max: max + 0.5 }, 1);
}

const RANGE = ['min', 'max'] as const;
const STEPPED = ['min', 'max', 'q'] as const;

/** W&B's distributions, by their names in a sweep file (wandb/sweeps, `config/schema.json` and `params.py`). */
const DISTRIBUTIONS: Readonly<Record<string, Reading>> = {
  constant: {
    takes: ['value'],
    read: ({ value }) => ({ type: 'categorical', values: [value], probabilities: [1] }),
  },
  categorical: { takes: ['values', 'probabilities'], read: categories },
  categorical_w_probabilities: { takes: ['values', 'probabilities'], read: categories },
  int_uniform: { takes: RANGE, read: whole },
  uniform: { takes: RANGE, read: (fields, path) => numeric({ type: 'uniform', ...range(fields, path) }, null) },
  q_uniform: {
    takes: STEPPED,
    read: (fields, path) => numeric({ type: 'uniform', ...range(fields, path) }, fields.q ?? 1),
  },
  log_uniform: {
    takes: RANGE,
    read: (fields, path) => numeric({ type: 'logUniform', ...exponents(fields, path) }, null),
  },
  q_log_uniform: {
    takes: STEPPED,
    read: (fields, path) => numeric({ type: 'logUniform', ...exponents(fields, path) }, fields.q ?? 1),
  },
  log_uniform_values: {
    takes: RANGE,
    read: (fields, path) => numeric({ type: 'logUniform', ...logRange(fields, path) }, null),
  },
  q_log_uniform_values: {
    takes: STEPPED,
    read: (fields, path) => numeric({ type: 'logUniform', ...logRange(fields, path) }, fields.q ?? 1),
  },
  // log(1/x) is uniform from min to max, so log x is from -max to -min
  inv_log_uniform: {
    takes: RANGE,
    read: (fields, path) => {
      const { min, max } = range(fields, path);
      return numeric({ type: 'logUniform', ...exponents({ min: -max, max: -min }, path) }, null);
    },
  },
  inv_log_uniform_values: {
    takes: RANGE,
    read: (fields, path) => numeric({ type: 'logUniform', ...logRange(fields, path) }, null),
  },
  normal: { takes: ['mu', 'sigma'], read: (fields) => numeric({ type: 'normal', ...bell(fields) }, null) },
  q_normal: {
    takes: ['mu', 'sigma', 'q'],
    read: (fields) => numeric({ type: 'normal', ...bell(fields) }, fields.q ?? 1),
  },
  log_normal: { takes: ['mu', 'sigma'], read: (fields) => numeric({ type: 'logNormal', ...bell(fields) }, null) },
  q_log_normal: {
    takes: ['mu', 'sigma', 'q'],
    read: (fields) => numeric({ type: 'logNormal', ...bell(fields) }, fields.q ?? 1),
  },
  beta: { takes: ['a', 'b'], read: ({ a = 1, b = 1 }) => numeric({ type: 'beta', a, b }, null) },
  q_beta: { takes: ['a', 'b', 'q'], read: ({ a = 1, b = 1, q = 1 }) => numeric({ type: 'beta', a, b }, q) },
};

/** The distribution that a parameter without a name for it has, as in W&B: whole ends make whole numbers. */
function impliedName(fields: ParameterFields, path: string): string {
  if ('value' in fields) return 'constant';
  if (fields.values !== undefined) return 'categorical';
  const { min, max } = fields;
  if (min !== undefined && max !== undefined) {
    return Number.isInteger(min) && Number.isInteger(max) ? 'int_uniform' : 'uniform';
  }
  throw badInput(`${path}: expected value, values, min and max, or a distribution`, path);
}

/**
 * Reads one parameter of a sweep file.
 * @throws WarrenError BAD_INPUT that says what is wrong with it.
 */
export function readParameter(given: unknown, path: string): { distribution: Distribution; when: Condition[] } {
  const parsed = fieldsSchema.safeParse(given);
  if (!parsed.success) {
    if (!isPlainObject(given)) {
      const received = shownValue(given);
      throw badInput(`${path}: received ${received}, expected an object, such as { value: ${received} }`, path);
    }
    const known = Object.keys(fieldsSchema.shape);
    const paths = () => known;
    const problems = describeIssues(parsed.error.issues, { input: given, prefix: path, known, paths });
    throw badInput(listProblems(problems, `the parameter ${path}`), path);
  }
  const fields = parsed.data;
  const name = fields.distribution ?? impliedName(fields, path);
  const reading = Object.hasOwn(DISTRIBUTIONS, name) ? DISTRIBUTIONS[name] : undefined;
  if (reading === undefined) {
    const names = Object.keys(DISTRIBUTIONS);
    throw badInput(`${path}: there is no distribution ${shownValue(name)}.${meantOrThere(name, names)}`, path);
  }
  const known: readonly string[] = [...reading.takes, 'distribution', 'when'];
  const foreign = Object.keys(fields).find((field) => !known.includes(field));
  if (foreign !== undefined) {
    throw badInput(`${path}: ${name} takes no ${foreign}; it takes ${reading.takes.join(', ')}`, path);
  }
  const when = Object.entries(fields.when ?? {}).map(([other, value]) => ({
    path: other,
    values: Array.isArray(value) ? value : [value],
  }));
  return { distribution: reading.read(fields, path), when };
}

import { badInput } from '#src/base/contracts/errors.ts';
import { shownValue } from '#src/base/lib/shownValue.ts';
import { categoryOf, type Distribution } from './distribution.ts';
import { type Condition, readParameter } from './parameterSchema.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';

/** One parameter that a sweep draws. */
export interface SearchParameter {
  /** `optimizer.learningRate`: names joined by dots. */
  path: string;
  distribution: Distribution;
  /** All must hold for it to be drawn. */
  when: readonly Condition[];
}

/** The parameters of a sweep, each behind those that its conditions name, else by path. */
export type SearchSpace = readonly SearchParameter[];

/** The values of one trial by path; parameters whose conditions do not hold are left out. */
export type Point = Readonly<Record<string, unknown>>;

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const MOST_PARAMETERS = 200;

/** The parameters of a sweep file with their full paths: W&B nests them under `parameters`. */
function flatten(given: unknown, prefix: string): [path: string, parameter: unknown][] {
  const where = prefix === '' ? 'parameters' : `parameters.${prefix}`;
  if (!isPlainObject(given)) throw badInput(`${where}: received ${shownValue(given)}, expected an object`, where);
  return Object.entries(given).flatMap(([name, parameter]): [string, unknown][] => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const wrong = path.split('.').find((part) => !NAME.test(part) || FORBIDDEN.has(part));
    if (wrong !== undefined) {
      const expected = 'expected names of letters, digits, _ and - joined by dots';
      throw badInput(`parameters: ${shownValue(path)} is not a path: ${expected}`, 'parameters');
    }
    if (isPlainObject(parameter) && isPlainObject(parameter.parameters)) {
      const other = Object.keys(parameter).find((key) => key !== 'parameters');
      if (other !== undefined) throw badInput(`parameters.${path}: a group of parameters takes no ${other}`, where);
      return flatten(parameter.parameters, path);
    }
    return [[path, parameter]];
  });
}

/**
 * Reads the `parameters` of a sweep file.
 * @throws WarrenError BAD_INPUT that says what is wrong with which parameter.
 */
export function readSearchSpace(given: unknown): SearchSpace {
  const entries = flatten(given, '').sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  if (entries.length === 0) throw badInput('parameters: expected at least one parameter', 'parameters');
  if (entries.length > MOST_PARAMETERS) {
    throw badInput(`parameters: at most ${MOST_PARAMETERS}, received ${entries.length}`, 'parameters');
  }
  for (const [index, [path]] of entries.entries()) {
    const clash = entries.find(([other], at) => (at !== index && other === path) || other.startsWith(`${path}.`));
    if (clash !== undefined) throw badInput(`parameters: ${path} and ${clash[0]} cannot both be set`, 'parameters');
  }
  const read = entries.map(([path, parameter]) => ({ path, ...readParameter(parameter, `parameters.${path}`) }));
  checkConditions(read);
  return inOrder(read);
}

function checkConditions(parameters: readonly SearchParameter[]): void {
  for (const { path, when } of parameters) {
    for (const condition of when) {
      const at = `parameters.${path}.when`;
      const parent = parameters.find((other) => other.path === condition.path);
      if (parent === undefined) throw badInput(`${at}: there is no parameter ${shownValue(condition.path)}`, at);
      const { distribution } = parent;
      if (distribution.type !== 'categorical') {
        throw badInput(`${at}: ${condition.path} is a range of numbers; conditions need a parameter with values`, at);
      }
      const foreign = condition.values.find((value) => categoryOf(distribution, value) < 0);
      if (foreign !== undefined) {
        throw badInput(`${at}: ${shownValue(foreign)} is not a value of ${condition.path}`, at);
      }
    }
  }
}

/** Each parameter behind those it depends on. */
function inOrder(parameters: readonly SearchParameter[]): SearchSpace {
  const ordered: SearchParameter[] = [];
  const known = new Set<string>();
  let left = [...parameters];
  while (left.length > 0) {
    const ready = left.filter(({ when }) => when.every(({ path }) => known.has(path)));
    if (ready.length === 0) {
      const paths = left.map(({ path }) => path).join(', ');
      throw badInput(`parameters: the conditions of ${paths} wait for one another`, 'parameters');
    }
    for (const parameter of ready) {
      ordered.push(parameter);
      known.add(parameter.path);
    }
    left = left.filter((parameter) => !ready.includes(parameter));
  }
  return ordered;
}

/** Whether a parameter is drawn beside the values that `point` has already. */
export function isActive({ when }: SearchParameter, point: Point): boolean {
  return when.every(({ path, values }) => {
    if (!Object.hasOwn(point, path)) return false;
    return categoryOf({ values }, point[path]) >= 0;
  });
}

/** Whether there is nothing to choose: a single value. */
export function isConstant({ distribution }: SearchParameter): boolean {
  return distribution.type === 'categorical' && distribution.values.length === 1;
}

/** A point as nested parameters: `{ optimizer: { learningRate: 0.01 } }`. */
export function nestedParameters(point: Point): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(point)) {
    const names = path.split('.');
    let at = root;
    for (const name of names.slice(0, -1)) {
      const inner = at[name];
      if (isPlainObject(inner)) at = inner;
      else {
        const made: Record<string, unknown> = {};
        at[name] = made;
        at = made;
      }
    }
    at[names.at(-1)!] = value;
  }
  return root;
}

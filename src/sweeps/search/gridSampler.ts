import { badInput } from '#src/base/contracts/errors.ts';
import { canonicalJson } from '#src/base/lib/stableHash.ts';
import { type Distribution, multipleOf, multiples } from './distribution.ts';
import { isActive, type Point, type SearchParameter, type SearchSpace } from './searchSpace.ts';

/** How many values a grid has of a distribution, and each of them, made when it is asked for. */
interface Axis {
  count: number;
  at(index: number): unknown;
}

function axisOf(distribution: Distribution): Axis | null {
  if (distribution.type === 'categorical') {
    const { values } = distribution;
    return { count: values.length, at: (index) => values[index] };
  }
  const { step } = distribution;
  const ends = multiples(distribution);
  if (ends === null || step === null) return null;
  return { count: ends.last - ends.first + 1, at: (index) => multipleOf(step, ends.first + index) };
}

/** All points of a space, numbered; none of them exists before it is asked for. */
export interface Grid {
  /** Points in all; beyond 2⁵³ about. */
  size: number;
  /** The point of a number from 0; null behind the last. Later parameters of the space change fastest. */
  at(index: number): Point | null;
}

/**
 * The grid of a space. Parameters under conditions count only where these hold, so that no point comes twice.
 * @throws WarrenError BAD_INPUT for a parameter with infinitely many values.
 */
export function gridOf(space: SearchSpace): Grid {
  const parameters = space.map((parameter) => {
    const axis = axisOf(parameter.distribution);
    if (axis !== null) return { parameter, axis, decides: decides(space, parameter) };
    const where = `parameters.${parameter.path}`;
    const advice = 'give values, whole min and max, or q_uniform';
    throw badInput(`${where}: a grid needs finitely many values: ${advice}`, where);
  });
  const countFrom = pointCounter(space, parameters);
  const size = countFrom(0, {});
  return {
    size,
    at(index) {
      if (index < 0 || index >= size) return null;
      let left = index;
      let chosen: Point = {};
      for (const [place, { parameter, axis, decides: hasDependents }] of parameters.entries()) {
        if (!isActive(parameter, chosen)) continue;
        const valueAt = hasDependents ? valueByCounting : valueByDivision;
        const behind = (value: number) => countFrom(place + 1, { ...chosen, [parameter.path]: axis.at(value) });
        const found = valueAt(left, axis.count, behind);
        left = found.left;
        chosen = { ...chosen, [parameter.path]: axis.at(found.value) };
      }
      return chosen;
    },
  };
}

/** A parameter with its values, and whether conditions of other parameters name it. */
interface GridParameter {
  parameter: SearchParameter;
  axis: Axis;
  decides: boolean;
}

/** Counts the points of the parameters from `index` on, given the values that are chosen for those before. */
function pointCounter(
  space: SearchSpace,
  parameters: readonly GridParameter[],
): (index: number, chosen: Point) => number {
  const parents = space.map((_, index) => parentsBehind(space, index));
  const known = new Map<string, number>();
  const countFrom = (index: number, chosen: Point): number => {
    const current = parameters[index];
    if (current === undefined) return 1;
    const names = parents[index] ?? [];
    const key = `${index}/${canonicalJson(names.map((name) => [name in chosen, chosen[name]]))}`;
    const counted = known.get(key) ?? count(current, index, chosen);
    known.set(key, counted);
    return counted;
  };
  const count = ({ parameter, axis, decides: hasDependents }: GridParameter, index: number, chosen: Point): number => {
    if (!isActive(parameter, chosen)) return countFrom(index + 1, chosen);
    if (!hasDependents) return axis.count * countFrom(index + 1, chosen);
    let sum = 0;
    for (let value = 0; value < axis.count; value++) {
      sum += countFrom(index + 1, { ...chosen, [parameter.path]: axis.at(value) });
    }
    return sum;
  };
  return countFrom;
}

/** Which value of a parameter the point `left` has, and its number among the points of that value. */
type ValueAt = (
  left: number,
  count: number,
  pointsBehind: (value: number) => number,
) => { value: number; left: number };

/** Where each value has as many points behind it. */
const valueByDivision: ValueAt = (left, _count, pointsBehind) => {
  const behind = pointsBehind(0);
  const value = Math.floor(left / behind);
  return { value, left: left - value * behind };
};

/** Where the values have different numbers of points behind them. */
const valueByCounting: ValueAt = (left, count, pointsBehind) => {
  let value = 0;
  for (; value < count - 1; value++) {
    const behind = pointsBehind(value);
    if (left < behind) break;
    left -= behind;
  }
  return { value, left };
};

/** Whether conditions of other parameters name this one. */
function decides(space: SearchSpace, { path }: SearchParameter): boolean {
  return space.some(({ when }) => when.some((condition) => condition.path === path));
}

/** The parameters before `index` that conditions from there on name. */
function parentsBehind(space: SearchSpace, index: number): string[] {
  const names = space.slice(index).flatMap(({ when }) => when.map((condition) => condition.path));
  const before = new Set(space.slice(0, index).map(({ path }) => path));
  return [...new Set(names)].filter((name) => before.has(name));
}

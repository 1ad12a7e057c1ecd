import { badInput } from '../contracts/errors.ts';
import { canonicalJson } from '../lib/stableHash.ts';
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
  const axes = space.map(({ path, distribution }) => {
    const axis = axisOf(distribution);
    if (axis !== null) return axis;
    const advice = 'give values, whole min and max, or q_uniform';
    throw badInput(`parameters.${path}: a grid needs finitely many values: ${advice}`, `parameters.${path}`);
  });
  const parents = space.map((_, index) => parentsBehind(space, index));
  const known = new Map<string, number>();

  /** Points of the parameters from `index` on, beside the values that are chosen. */
  function countFrom(index: number, chosen: Point): number {
    const parameter = space[index];
    const axis = axes[index];
    if (parameter === undefined || axis === undefined) return 1;
    const names = parents[index] ?? [];
    const key = `${index}/${canonicalJson(names.map((name) => [name in chosen, chosen[name]]))}`;
    const counted = known.get(key);
    if (counted !== undefined) return counted;
    let count = 0;
    if (!isActive(parameter, chosen)) count = countFrom(index + 1, chosen);
    else if (!decides(space, parameter)) count = axis.count * countFrom(index + 1, chosen);
    else {
      for (let value = 0; value < axis.count; value++) {
        count += countFrom(index + 1, { ...chosen, [parameter.path]: axis.at(value) });
      }
    }
    known.set(key, count);
    return count;
  }

  const size = countFrom(0, {});
  return {
    size,
    at(index) {
      if (index < 0 || index >= size) return null;
      let left = index;
      let chosen: Point = {};
      for (const [place, parameter] of space.entries()) {
        const axis = axes[place];
        if (axis === undefined || !isActive(parameter, chosen)) continue;
        let value = 0;
        if (decides(space, parameter)) {
          for (; value < axis.count - 1; value++) {
            const behind = countFrom(place + 1, { ...chosen, [parameter.path]: axis.at(value) });
            if (left < behind) break;
            left -= behind;
          }
        } else {
          const behind = countFrom(place + 1, chosen);
          value = Math.floor(left / behind);
          left -= value * behind;
        }
        chosen = { ...chosen, [parameter.path]: axis.at(value) };
      }
      return chosen;
    },
  };
}

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

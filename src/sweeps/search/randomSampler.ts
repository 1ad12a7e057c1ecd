import { valueAt } from './distribution.ts';
import { randomStream } from './randomStream.ts';
import { isActive, type Point, type SearchSpace } from './searchSpace.ts';

/** Trial `number` drawn from the distributions, each parameter on its own: another one more changes no other's value. */
export function randomPoint(space: SearchSpace, { seed, number }: { seed: number; number: number }): Point {
  const point: Record<string, unknown> = {};
  for (const parameter of space) {
    if (!isActive(parameter, point)) continue;
    point[parameter.path] = valueAt(parameter.distribution, randomStream('random', seed, number, parameter.path)());
  }
  return point;
}

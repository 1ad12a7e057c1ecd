import { badInput } from '#src/base/contracts/errors.ts';
import { valueAt } from './distribution.ts';
import { randomStream } from './randomStream.ts';
import { isActive, isConstant, type Point, type SearchSpace } from './searchSpace.ts';
import { SOBOL_DIRECTIONS } from './sobolDirections.ts';

const BITS = 32;
export const MOST_SOBOL_DIMENSIONS = SOBOL_DIRECTIONS.length + 1;

/** v_1 to v_32 of a dimension from 0, as 32-bit fractions: Joe and Kuo's recurrence (their equation 2). */
function directionsOf(dimension: number): Uint32Array {
  const directions = new Uint32Array(BITS);
  const entry = SOBOL_DIRECTIONS[dimension - 1];
  if (entry === undefined) {
    for (let bit = 0; bit < BITS; bit++) directions[bit] = 2 ** (BITS - 1 - bit);
    return directions;
  }
  const [degree, coefficients, initial] = entry;
  for (let bit = 0; bit < BITS; bit++) {
    if (bit < degree) {
      directions[bit] = (initial[bit]! << (BITS - 1 - bit)) >>> 0;
      continue;
    }
    let direction = directions[bit - degree]! ^ (directions[bit - degree]! >>> degree);
    for (let k = 1; k < degree; k++) {
      if ((coefficients >>> (degree - 1 - k)) & 1) direction ^= directions[bit - k]!;
    }
    directions[bit] = direction >>> 0;
  }
  return directions;
}

const known = new Map<number, Uint32Array>();

/**
 * The 32-bit fraction of point `index` (0 to 2³² - 1) of the Sobol sequence in one dimension (0 to 63), in Gray code order.
 * @returns a whole number from 0 to 2³² - 1.
 */
export function sobolFraction(index: number, dimension: number): number {
  let directions = known.get(dimension);
  if (directions === undefined) {
    directions = directionsOf(dimension);
    known.set(dimension, directions);
  }
  const gray = (index ^ (index >>> 1)) >>> 0;
  let fraction = 0;
  for (let bit = 0; bit < BITS; bit++) if ((gray >>> bit) & 1) fraction ^= directions[bit]!;
  return fraction >>> 0;
}

/**
 * Trial `number` of a Sobol sequence over the parameters that vary, one dimension each, also for those whose conditions do
 * not hold. The seed shifts each dimension's digits, which keeps the sequence's even spread.
 * @throws WarrenError BAD_INPUT for more parameters than there are dimensions.
 */
export function sobolPoint(space: SearchSpace, { seed, number }: { seed: number; number: number }): Point {
  const dimensions = space.filter((parameter) => !isConstant(parameter));
  if (dimensions.length > MOST_SOBOL_DIMENSIONS) {
    const advice = `sobol takes at most ${MOST_SOBOL_DIMENSIONS} parameters that vary, received ${dimensions.length}`;
    throw badInput(`parameters: ${advice}; use random or tpe`, 'parameters');
  }
  const point: Record<string, unknown> = {};
  for (const parameter of space) {
    if (!isActive(parameter, point)) continue;
    const dimension = dimensions.indexOf(parameter);
    const shift = Math.floor(randomStream('sobol', seed, parameter.path)() * 2 ** BITS);
    const fraction = dimension < 0 ? 0 : (sobolFraction(number, dimension) ^ shift) >>> 0;
    point[parameter.path] = valueAt(parameter.distribution, (fraction + 0.5) / 2 ** BITS);
  }
  return point;
}

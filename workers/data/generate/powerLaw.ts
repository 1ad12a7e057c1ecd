import type { RandomGenerator } from '#workers/math/random/randomGenerator.ts';

/** Draws ranks from 0 with probability proportional to (rank + 1)^-exponent. */
export interface PowerLaw {
  draw(generator: RandomGenerator): number;
}

/** A power law over `count` ranks; a larger `exponent` puts more of the mass on the first. Drawing is a binary search. */
export function powerLaw(count: number, exponent: number): PowerLaw {
  let sum = 0;
  const cumulative = Float64Array.from({ length: count }, (_, rank) => {
    sum += (rank + 1) ** -exponent;
    return sum;
  });
  return {
    draw(generator) {
      const point = generator.nextFloat() * sum;
      let low = 0;
      let high = count - 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (cumulative[middle]! > point) high = middle;
        else low = middle + 1;
      }
      return low;
    },
  };
}

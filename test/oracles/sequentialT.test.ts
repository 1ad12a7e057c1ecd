import { expect, test } from 'vitest';
import { z } from 'zod';
import { boundariesSpending, firstCrossings } from '#src/statistics/sequential/sequentialNull.ts';
import sequentialT from './sequentialT.json';

const number = z.number();
const oracle = z
  .object({
    twoLooks: z.array(z.object({ looks: z.array(z.object({ pairs: number, spent: number, boundary: number })) })),
    drawn: z.array(
      z.object({
        samples: number,
        looks: z.array(z.object({ pairs: number, boundary: number, crossed: number })),
      }),
    ),
  })
  .parse(sequentialT);

test('boundaries of two looks are those of adaptive quadrature', () => {
  for (const { looks } of oracle.twoLooks) {
    const found = boundariesSpending(looks);
    for (const [index, { boundary }] of looks.entries()) expect(found[index]! / boundary).toBeCloseTo(1, 3);
  }
});

test('chances of a first crossing are those counted in drawn comparisons, within four standard errors and 1 %', () => {
  for (const { looks, samples } of oracle.drawn) {
    const found = firstCrossings(looks);
    for (const [index, { crossed }] of looks.entries()) {
      const error = 4 * Math.sqrt(crossed / samples) + 0.01 * crossed;
      expect(Math.abs(found[index]! - crossed)).toBeLessThan(error);
    }
  }
});

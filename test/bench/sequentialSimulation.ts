import { judgeLook } from '#src/statistics/sequential/judgeLook.ts';
import type { SequentialDesign } from '#src/statistics/sequential/sequentialDesign.ts';
import { studentQuantile } from '#src/statistics/studentQuantile.ts';
import { differencesTTest } from '#src/statistics/tTests.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

export interface Simulation {
  comparisons: number;
  /** True difference in standard deviations of a pair's difference. */
  effect: number;
  seed: number;
  /** Whether a comparison stops where it is futile; otherwise it goes on to the last look. */
  stopsFutile: boolean;
  /** Degrees of freedom of Student's distribution of the differences; normal without. */
  tails?: number;
  /** Differences are skewed: exponential, less their mean. */
  skewed?: boolean;
}

export interface Simulated {
  /** Parts of the comparisons. */
  decided: number;
  futile: number;
  /** Decided for the wrong side. */
  wrong: number;
  /** Mean number until the end. */
  pairs: number;
}

/** Comparisons drawn by chance and judged look by look, as a controller judges them. */
export function simulateDesign(design: SequentialDesign, simulation: Simulation): Simulated {
  const { comparisons, effect, seed, stopsFutile, tails, skewed = false } = simulation;
  const random = randomGenerator(seed, `sequential ${design.atMost} ${effect}`);
  const draw = (): number => {
    if (skewed) return effect - 1 - Math.log(1 - random.nextFloat());
    if (tails === undefined) return effect + random.normal();
    const squares = Array.from({ length: tails }, () => random.normal() ** 2).reduce((sum, square) => sum + square, 0);
    return effect + random.normal() / Math.sqrt(squares / tails);
  };
  const sums = { decided: 0, futile: 0, wrong: 0, pairs: 0 };
  for (let comparison = 0; comparison < comparisons; comparison++) {
    const differences: number[] = [];
    let end = design.atMost;
    for (const look of design.looks) {
      while (differences.length < look.pairs) differences.push(draw());
      const { verdict, difference } = judgeLook(design, look, differences);
      if (verdict === 'undecided' || (verdict === 'futile' && !stopsFutile)) continue;
      if (verdict === 'decided') sums.decided += 1;
      if (verdict === 'decided' && difference < 0) sums.wrong += 1;
      if (verdict === 'futile') sums.futile += 1;
      end = look.pairs;
      break;
    }
    sums.pairs += end;
  }
  const part = (count: number) => count / comparisons;
  return { decided: part(sums.decided), futile: part(sums.futile), wrong: part(sums.wrong), pairs: part(sums.pairs) };
}

/** How often a plain t-test at the level alpha after each pair finds a difference where there is none: what many do by hand. */
export function plainLooks(
  design: SequentialDesign,
  { comparisons, seed }: { comparisons: number; seed: number },
): number {
  const random = randomGenerator(seed, 'plain looks');
  const critical = design.looks.map(({ pairs }) => studentQuantile(1 - design.alpha, pairs - 1));
  let found = 0;
  for (let comparison = 0; comparison < comparisons; comparison++) {
    const differences = Array.from({ length: design.atMost }, () => random.normal());
    const crosses = design.looks.some(
      ({ pairs }, look) => Math.abs(differencesTTest(differences.slice(0, pairs)).t) >= critical[look]!,
    );
    if (crosses) found += 1;
  }
  return found / comparisons;
}

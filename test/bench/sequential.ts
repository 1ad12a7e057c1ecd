import { SPENDING_NAMES } from '#src/statistics/sequential/alphaSpending.ts';
import { type SequentialDesign, sequentialDesign } from '#src/statistics/sequential/sequentialDesign.ts';
import type { BenchResult } from './benchResult.ts';
import { measure } from './measure.ts';
import { plainLooks, type Simulation, simulateDesign } from './sequentialSimulation.ts';

const COMPARISONS = 10_000;
const CAPS = [5, 10, 20];
const EFFECTS = [0.5, 1, 2];

/**
 * What an adaptive comparison promises, by simulation: 10,000 comparisons without a difference and with differences of some
 * sizes, for caps of 5, 10 and 20 pairs, and the time to lay out a design beside one second.
 */
export async function sequentialBench(): Promise<BenchResult> {
  const notes: string[] = [`${COMPARISONS.toLocaleString('en')} comparisons each, alpha 0.05, power 0.8`];
  for (const spending of SPENDING_NAMES) {
    for (const atMost of CAPS) {
      const design = sequentialDesign({ alpha: 0.05, power: 0.8, atMost, every: 1, spending });
      notes.push(...errors(design), ...powers(design));
    }
  }
  const { median, spread } = await measure(() => {
    sequentialDesign({ alpha: 0.05, power: 0.8, atMost: 50, every: 1, spending: 'pocock' });
  });
  const [key, limit] = ['a design of 50 pairs', 'a design of 50 pairs/one second'];
  return {
    name: 'sequential',
    ours: { [key]: median },
    peers: { [limit]: 1 },
    ratios: { [limit]: median },
    spread: { [key]: spread },
    notes,
  };
}

function errors(design: SequentialDesign): string[] {
  const without = (more: Partial<Simulation>) =>
    simulateDesign(design, { comparisons: COMPARISONS, effect: 0, seed: 1, stopsFutile: false, ...more });
  const [all, stopping] = [without({}), without({ stopsFutile: true })];
  const [heavy, skewed] = [without({ tails: 3 }), without({ skewed: true })];
  const naive = plainLooks(design, { comparisons: COMPARISONS, seed: 1 });
  return [
    `${design.spending}, at most ${design.atMost}, no difference: ${percent(all.decided)} found; stopping where futile ${percent(stopping.decided)} after ${stopping.pairs.toFixed(1)} pairs; differences as Student's t with 3 df ${percent(heavy.decided)}; skewed as an exponential distribution ${percent(skewed.decided)}; a plain t-test at each look ${percent(naive)}`,
  ];
}

function powers(design: SequentialDesign): string[] {
  return [design.effect, ...EFFECTS].map((effect) => {
    const found = simulateDesign(design, { comparisons: COMPARISONS, effect, seed: 1, stopsFutile: true });
    const own = effect === design.effect ? ', its own' : '';
    return `${design.spending}, at most ${design.atMost}, difference of ${effect.toFixed(2)} s.d.${own}: ${percent(found.decided)} found, ${percent(found.futile)} futile, ${percent(found.wrong)} wrong, after ${found.pairs.toFixed(1)} pairs (one test of the same alpha and power for its own: ${design.fixedPairs})`;
  });
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}

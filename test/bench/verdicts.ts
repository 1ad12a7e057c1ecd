import type { BenchResult } from './benchResult.ts';
import { measure } from './measure.ts';
import { simulateVerdicts, type VerdictScene } from './verdictSimulation.ts';

const SEEDS = [3, 5, 10];
const USERS = 200;
const COMPARISONS = 4_000;
/** In deviations of what is left of one value. */
const EFFECTS = [0.2, 0.4];

const SCENES: readonly VerdictScene[] = [
  { name: 'seeds spread by .1', seeds: [0.1, 0.1], users: 0.3, hits: 1 },
  { name: 'seeds spread by .3', seeds: [0.3, 0.3], users: 0.3, hits: 1 },
  { name: 'seeds hardly spread (.02)', seeds: [0.02, 0.02], users: 0.3, hits: 1 },
  { name: 'one side spreads four times as far', seeds: [0.05, 0.2], users: 0.3, hits: 1 },
  { name: 'one side draws nothing at random', seeds: [0.1, 0], users: 0.3, hits: 1 },
  { name: 'one user in ten is hit', seeds: [0.2, 0.2], users: 0.3, hits: 0.1 },
];

/** How often tests of two methods over users, and over seeds and users, find a difference that is not there, and one that is. */
export async function verdictsBench(): Promise<BenchResult> {
  const notes = [`${COMPARISONS.toLocaleString('en')} comparisons each, ${USERS} users, level 0.05`];
  for (const scene of SCENES) {
    for (const seeds of SEEDS) {
      const of = { seeds, users: USERS, comparisons: COMPARISONS };
      const { crossed, oneSeed, usersAlone } = simulateVerdicts(scene, { ...of, effect: 0 });
      const powers = EFFECTS.map((effect) => {
        const found = simulateVerdicts(scene, { ...of, comparisons: COMPARISONS / 4, effect });
        return `a difference of ${effect} ${percent(found.crossed)}`;
      });
      notes.push(
        `${scene.name}, ${seeds} seeds: false ${percent(crossed)} by seeds and users, ${percent(usersAlone)} over users by means of seeds, ${percent(oneSeed)} over users with one seed; found, ${powers.join(', ')}`,
      );
    }
  }
  const [key, limit] = ['a comparison', 'a comparison/one second'];
  const { median, spread } = await measure(() => {
    simulateVerdicts(SCENES[0]!, { seeds: 3, users: USERS, comparisons: 1, effect: 0 });
  });
  return {
    ...{ name: 'verdicts', ours: { [key]: median }, peers: { [limit]: 1 }, ratios: { [limit]: median } },
    ...{ spread: { [key]: spread }, notes },
  };
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}

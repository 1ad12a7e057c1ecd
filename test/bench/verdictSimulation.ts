import { crossedSide, crossedTest } from '#src/statistics/crossedTest.ts';
import { pairedDifferenceTest } from '#src/statistics/differenceTest.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';

/** How values of users come about, in deviations of what is left of one value. */
export interface VerdictScene {
  name: string;
  /** Of a method's seeds, each side its own: training by chance. 0: a method without randomness. */
  seeds: readonly [number, number];
  /** Of what a method does otherwise with a user, whatever the seed. */
  users: number;
  /** Users with a value above 0: the others miss their target. 1: normal values. */
  hits: number;
}

export interface SimulatedVerdicts {
  /** Parts of the comparisons that call a difference, by each test. */
  crossed: number;
  /** The paired test over users of the first runs alone. */
  oneSeed: number;
  /** Over users, each by the mean over its seeds. */
  usersAlone: number;
}

/** Comparisons of two methods by the same users: `effect` is the true difference of their means. */
export function simulateVerdicts(
  scene: VerdictScene,
  { seeds, users, comparisons, effect }: { seeds: number; users: number; comparisons: number; effect: number },
): SimulatedVerdicts {
  const random = randomGenerator(1, `verdicts ${scene.name} ${seeds} ${effect}`);
  const found = { crossed: 0, oneSeed: 0, usersAlone: 0 };
  for (let comparison = 0; comparison < comparisons; comparison++) {
    const base = Float64Array.from({ length: users }, () => random.normal());
    const [a, b] = scene.seeds.map((spread, side) => {
      const own = Float64Array.from({ length: users }, () => scene.users * random.normal());
      return Array.from({ length: spread === 0 ? 1 : seeds }, () => {
        const shift = spread * random.normal() + (side === 0 ? effect : 0);
        return Float64Array.from({ length: users }, (_, user) => {
          const level = base[user]! + own[user]! + shift;
          if (spread === 0 && scene.hits === 1) return level;
          if (scene.hits === 1) return level + random.normal();
          // a hit at a random place, more likely for a higher level
          const chance = Math.min(1, Math.max(0, scene.hits * (1 + level / 3)));
          return random.nextFloat() < chance ? 1 / Math.log2(2 + Math.floor(10 * random.nextFloat())) : 0;
        });
      });
    });
    const isFound = (p: number | undefined) => (p !== undefined && p < 0.05 ? 1 : 0);
    found.crossed += isFound(crossedTest(crossedSide(a!), crossedSide(b!), 'higher')?.p);
    found.oneSeed += isFound(overUsers([a![0]!], [b![0]!]));
    found.usersAlone += isFound(overUsers(a!, b!));
  }
  const part = (count: number) => count / comparisons;
  return { crossed: part(found.crossed), oneSeed: part(found.oneSeed), usersAlone: part(found.usersAlone) };
}

function overUsers(a: readonly Float64Array[], b: readonly Float64Array[]): number | undefined {
  const mean = (rows: readonly Float64Array[], user: number) =>
    rows.reduce((sum, row) => sum + row[user]!, 0) / rows.length;
  const differences = Array.from(a[0]!, (_, user) => mean(a, user) - mean(b, user));
  return pairedDifferenceTest(differences, 'higher', { signedRanks: false })?.p;
}

import type { FeaturizeTheoryParameters } from '#src/catalog/kinds/featurizeTheory.ts';
import type { Experiment } from './experiment.ts';
import { alignmentBall } from './featurizing/theory/alignmentBall.ts';
import { nadarayaWatsonRisk } from './featurizing/theory/nadarayaWatsonRisk.ts';
import { noisyRepresentations } from './featurizing/theory/noisyRepresentations.ts';
import type { TheoryContext } from './featurizing/theory/theoryContext.ts';
import { uniformConvergence } from './featurizing/theory/uniformConvergence.ts';
import { wideNetworks } from './featurizing/theory/wideNetworks.ts';

interface Simulation {
  /** What the paper calls it. */
  name: string;
  simulate: (context: TheoryContext) => Promise<void> | void;
  /** Part of the run's time that is over after it. */
  until: number;
}

/** In the order of the paper. */
const SIMULATIONS: readonly Simulation[] = [
  { name: 'Proposition 1', simulate: uniformConvergence, until: 0.1 },
  { name: 'Proposition 2', simulate: wideNetworks, until: 0.2 },
  { name: 'Proposition 3', simulate: noisyRepresentations, until: 0.7 },
  { name: 'Lemma 1', simulate: nadarayaWatsonRisk, until: 0.8 },
  { name: 'Proposition 4', simulate: alignmentBall, until: 0.95 },
];

/** Propositions 1 to 4 and Lemma 1 of Featurizing, each as a simulation that could refute it. */
export const featurizeTheory: Experiment<FeaturizeTheoryParameters> = async (context) => {
  const { reporter } = context;
  const started = performance.now();
  for (const { name, simulate, until } of SIMULATIONS) {
    await simulate(context);
    reporter.progress(until, name);
  }
  reporter.timing('compute', (performance.now() - started) / 1000);
  reporter.progress(1, 'done');
};

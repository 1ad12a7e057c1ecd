import type { TrainingPart } from '../data/split/trainingPart.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import type { InitialDistribution } from '../models/initialTable.ts';
import type { GeneratorOf } from '../models/initialValues.ts';
import type { SequenceNetwork } from '../models/sequenceNetwork.ts';
import { type NetworkContext, trainNetworkRecommender } from './networkRecommender.ts';
import { nextItemRecommender, type SequenceParameters } from './sequenceRecommender.ts';

/** Of what a network that predicts the next item is made. */
export interface NextItemStart {
  itemCount: number;
  /** The item embeddings before training, as the run's `init` wants them. */
  items: InitialDistribution;
  /** Random numbers for each parameter of the network, by its name. */
  generatorOf: GeneratorOf;
  training: TrainingPart;
}

export interface NextItemRecipe {
  /** Sets the random numbers of this network apart from those of others. */
  name: string;
  /** Whether a network predicts after each item of a sequence at once, or each prefix is a sample; positions unless given. */
  samples?: 'positions' | 'prefixes';
  /** Makes the network, once its backend is open. */
  network(start: NextItemStart): SequenceNetwork;
}

/** `trainNetworkRecommender` for a network that predicts the next item of a sequence, by the loss that the run asks for. */
export async function trainNextItem(
  context: NetworkContext<SequenceParameters>,
  { name, samples = 'positions', network }: NextItemRecipe,
): Promise<void> {
  const { seed } = context;
  const dataset = await context.data.sequences();
  const generatorOf: GeneratorOf = (parameter) => randomGenerator(seed, `${name} ${parameter}`);
  await trainNetworkRecommender(context, {
    sides: ['items'],
    open: ({ items }, training) => {
      const made = network({ itemCount: dataset.itemCount, items, generatorOf, training });
      return nextItemRecommender(context, made, samples);
    },
  });
}

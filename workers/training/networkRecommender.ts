import type { InitParameters } from '#src/catalog/parameters/initParameters.ts';
import type { OptimizerParameters } from '#src/catalog/parameters/trainedParameters.ts';
import type { TrainingPart } from '../data/split/trainingPart.ts';
import type { Candidates } from '../evaluation/ranking/heldOut.ts';
import { openProtocol } from '../evaluation/protocols/openProtocol.ts';
import type { Scorer } from '../evaluation/ranking/scorer.ts';
import type { StepDraw } from '../models/sequenceNetwork.ts';
import type { tf } from '../tensor/tf.ts';
import { optimizerSettings } from './optimizers/optimizerState.ts';
import { openSmoothing, type SmoothableTables } from './smoothing/openSmoothing.ts';
import { type InitialEmbeddings, initialEmbeddings } from './start/initialEmbeddings.ts';
import type { Side } from './start/startRequest.ts';
import type { BatchSource } from './trainableNetwork.ts';
import { networkLearner } from './networkLearner.ts';
import type { TrainingContext } from './trainingContext.ts';
import { type EmbeddingTable, trainRecommender } from './trainRecommender.ts';

/** Parameters that every recommender shares whose network is trained by gradients. */
export interface NetworkParameters extends Candidates {
  cutoffs: readonly number[];
  /** Length of the embeddings. */
  dimension: number;
  epochs: number;
  optimizer: OptimizerParameters;
  init: InitParameters;
  evaluateEvery: number;
  select: 'best' | 'last';
  patience: number;
  checkpointEvery: number;
}

export type NetworkContext<Parameters extends NetworkParameters = NetworkParameters> = TrainingContext & {
  parameters: Parameters;
};

/** A network as a recommender: what is trained, of which batches, by which loss, and how it ranks. */
export interface OpenNetwork<Batch> {
  /** All parameters, by name; those of embeddings have a part `users` or `items` in it. They are disposed in the end. */
  readonly parameters: ReadonlyMap<string, tf.Variable>;
  batches(training: TrainingPart): BatchSource<Batch>;
  /** Before each step's loss, what must be read from the backend for it. */
  prepare?(batch: Batch, draw: StepDraw): Promise<void>;
  /** Mean loss over a batch: a scalar, differentiable in the parameters. */
  loss(batch: Batch, draw: StepDraw): tf.Scalar;
  readonly scorer: Scorer;
  readonly smoothable: SmoothableTables;
  embeddings(): Promise<EmbeddingTable[]>;
  /** Lets go of what is no parameter. */
  dispose?(): void;
}

export interface NetworkRecipe<Batch> {
  /** Of what there are embeddings. */
  sides: readonly Side[];
  /** Makes the network, once its backend is open. */
  open(start: InitialEmbeddings, training: TrainingPart): OpenNetwork<Batch>;
}

/** `trainRecommender` for a network; all that it holds is let go of, however training ends. */
export async function trainNetworkRecommender<Batch>(
  context: NetworkContext,
  { sides, open }: NetworkRecipe<Batch>,
): Promise<void> {
  const { parameters, reporter, seed, cancellation } = context;
  const { dimension, epochs, init, select, patience } = parameters;
  const { smoothing: smoothingParameters, ...optimizer } = parameters.optimizer;
  const protocol = await openProtocol(context);
  const training = protocol.split;
  const start = await initialEmbeddings(context, init, { training, dimension, sides });
  await context.compute.openTensorBackend();
  const closing: (() => void)[] = [];
  try {
    const network = open(start, training);
    closing.push(() => {
      for (const parameter of network.parameters.values()) parameter.dispose();
      network.dispose?.();
    });
    const smoothing =
      smoothingParameters === undefined
        ? null
        : await openSmoothing(context, {
            smoothing: smoothingParameters,
            training,
            tables: network.smoothable,
            parameters: network.parameters,
          });
    if (smoothing !== null) closing.push(() => smoothing.dispose());
    const trained = trainedParameters(network.parameters, init);
    const trainedNumbers = [...trained.values()].reduce((sum, { size }) => sum + size, 0);
    reporter.note('trainedNumbers', trainedNumbers);
    const learner = networkLearner({
      network: {
        parameters: trained,
        prepare: async (batch, draw) => network.prepare?.(batch, draw),
        loss: (batch, draw) => network.loss(batch, draw),
      },
      optimizer: optimizerSettings(optimizer),
      own: smoothing?.own,
      batches: network.batches(training),
      seed,
      epochs,
      patience,
      keepsBest: select === 'best',
      observer: reporter,
      monitor: smoothing?.monitor,
      throwIfCancelled: () => cancellation.throwIfCancelled(),
    });
    const { scorer } = network;
    const recommender = Object.assign(learner, { scorer, embeddings: () => network.embeddings() });
    await trainRecommender(context, protocol, { recommender });
  } finally {
    for (const close of closing.toReversed()) close();
  }
}

/** The tables of embeddings among a network's parameters, by a part of their names. */
const EMBEDDINGS = new Set(['items', 'users', 'nodes']);

/** What is trained of these parameters: all, or with `frozen` all but the embeddings of items and users. */
function trainedParameters(
  parameters: ReadonlyMap<string, tf.Variable>,
  { frozen = false }: { frozen?: boolean | undefined },
): ReadonlyMap<string, tf.Variable> {
  if (!frozen) return parameters;
  return new Map([...parameters].filter(([name]) => !name.split('/').some((part) => EMBEDDINGS.has(part))));
}

import { randomGenerator } from '../math/random/randomGenerator.ts';
import { tf } from '../tensor/tf.ts';
import { divergence, requireFinite } from './divergence.ts';
import type { ParameterSettings } from '#src/catalog/optimizers/optimizer.ts';
import type { OptimizerSettings } from '#src/catalog/optimizers/optimizers.ts';
import { disposeOptimizer, initOptimizer } from './optimizers/optimizerState.ts';
import { stepOptimizer } from './optimizers/stepOptimizer.ts';
import type { BatchSource, TrainableNetwork } from './trainableNetwork.ts';
import { encodeTraining, restoreTraining } from './trainingCheckpoint.ts';
import type { EpochResult, Learner, TrainingObserver } from './trainLoop.ts';
import { copyIn, isOutOfPatience, initTraining, noteScore, type TrainingState } from './trainingState.ts';

/** Looks on while an epoch trains. */
export interface TrainingMonitor {
  /** Before the first step of an epoch. */
  start(): void;
  /** After its last: metrics by name, reported at the epoch. */
  finish(): Promise<Readonly<Record<string, number>>>;
  /** When training ends, however it does. */
  stop(): void;
}

/** What a network is trained on, and how it is told of. */
export interface NetworkTraining<Batch> {
  network: TrainableNetwork<Batch>;
  optimizer: OptimizerSettings;
  /** What is different for which parameter: groups. */
  own?: ((name: string) => ParameterSettings) | undefined;
  batches: BatchSource<Batch>;
  seed: number;
  /** Epochs in all, those of a checkpoint included. */
  epochs: number;
  /** Stop after so many validations without a better one; 0 never. */
  patience: number;
  /** Whether the parameters of the best validation are kept. */
  keepsBest: boolean;
  observer: TrainingObserver;
  monitor?: TrainingMonitor | undefined;
  /** Throws when the run is cancelled; asked before every step. */
  throwIfCancelled(): void;
  /** Lets go of the network, after the optimizer. */
  dispose?(): void;
}

/** Least time between two messages of progress within an epoch. */
const PROGRESS_MS = 500;

/** A network and its optimizer while they are trained. */
export interface NetworkLearner extends Learner {
  readonly state: TrainingState;
}

/**
 * A network as what `train` trains: what is restored goes on to the numbers of one that never stopped. The loss is a mean over
 * positions, as drawn, dropout included. An epoch throws RUN_FAILED with step, batch and norms where the loss is not finite, and
 * where it leaves parameters that are not.
 */
export function networkLearner<Batch>(options: NetworkTraining<Batch>): NetworkLearner {
  const { patience, keepsBest, monitor, seed } = options;
  const { parameters } = options.network;
  const state = initTraining(parameters, initOptimizer(parameters, options.optimizer, options.own), seed);
  return {
    state,
    get epoch() {
      return state.epoch;
    },
    get best() {
      return state.best;
    },
    trainEpoch: async () => {
      monitor?.start();
      const result = await trainEpoch(state, options);
      state.epoch++;
      return result;
    },
    check: () => requireFinite(state),
    measure: async () => (await monitor?.finish()) ?? {},
    noteScore: (score) => noteScore(state, score, { patience, keepsBest }),
    isOutOfPatience: () => isOutOfPatience(state, patience),
    save: () => encodeTraining(state),
    restore: (bytes) => restoreTraining(state, bytes),
    takeBest: () => {
      const best = keepsBest ? state.best : null;
      if (best?.parameters != null) copyIn(parameters, best.parameters);
      return best?.epoch ?? state.epoch;
    },
    dispose: () => {
      monitor?.stop();
      disposeOptimizer(state.optimizer);
      options.dispose?.();
    },
  };
}

async function trainEpoch<Batch>(
  state: TrainingState,
  {
    network,
    batches,
    seed,
    epochs,
    observer,
    throwIfCancelled,
  }: Pick<NetworkTraining<Batch>, 'network' | 'batches' | 'seed' | 'epochs' | 'observer' | 'throwIfCancelled'>,
): Promise<EpochResult> {
  const { batchesPerEpoch } = batches;
  const drawSeed = randomGenerator(seed, 'training dropout').nextUint32();
  let [sum, positions, tokens, batchNumber] = [0, 0, 0, 0];
  let told = performance.now();
  for (const batch of batches.epoch(state)) {
    throwIfCancelled();
    const { step } = state.optimizer;
    const draw = { seed: drawSeed, step };
    await network.prepare?.(batch, draw);
    const loss = await trainStep(state, () => network.loss(batch, draw), {
      batch: batchNumber + 1,
      batches: batchesPerEpoch,
    });
    const size = batches.sizeOf(batch);
    sum += loss * size.positions;
    positions += size.positions;
    tokens += size.tokens;
    batchNumber++;
    if (performance.now() - told < PROGRESS_MS) continue;
    told = performance.now();
    const done = (state.epoch + batchNumber / batchesPerEpoch) / epochs;
    const place = `epoch ${state.epoch + 1} of ${epochs}, batch ${batchNumber} of ${batchesPerEpoch}`;
    observer.progress(done, `${place}, loss ${(sum / positions).toFixed(4)}`);
  }
  return { loss: sum / positions, tokens };
}

/** One step of the optimizer; returns the loss before it. */
async function trainStep(
  state: TrainingState,
  computeLoss: () => tf.Scalar,
  place: { batch: number; batches: number },
): Promise<number> {
  const variables = [...state.parameters.values()];
  const { value, grads } = tf.variableGrads(computeLoss, variables);
  const gradients = new Map<string, tf.Tensor>();
  for (const [name, variable] of state.parameters) {
    const gradient = grads[variable.name];
    if (gradient !== undefined) gradients.set(name, gradient);
  }
  try {
    const [loss] = await value.data<'float32'>();
    if (!Number.isFinite(loss)) throw await divergence(state, { loss: loss!, gradients, ...place });
    stepOptimizer(state.optimizer, gradients);
    return loss!;
  } finally {
    value.dispose();
    tf.dispose([...gradients.values()]);
  }
}

import { randomGenerator } from '../math/randomGenerator.ts';
import { tf } from '../tensor/tf.ts';
import { divergence, requireFinite } from './divergence.ts';
import { stepOptimizer } from './optimizers/stepOptimizer.ts';
import type { BatchSource, TrainableNetwork } from './trainableNetwork.ts';
import { encodeTraining } from './trainingCheckpoint.ts';
import { hasWaited, noteScore, type TrainingState } from './trainingState.ts';

/** What training tells; called in order, never blocking. */
export interface TrainingObserver {
  metric(name: string, step: number, value: number): void;
  log(level: 'info', text: string): void;
  progress(fraction: number, message: string): void;
  checkpoint(step: number, bytes: Uint8Array): void;
  timing(phase: string, seconds: number): void;
}

export interface Validation {
  /** By name after `valid/`. */
  metrics: Readonly<Record<string, number>>;
  /** By which epochs are compared: more is better. */
  score: number;
}

/** Looks on while an epoch trains. */
export interface TrainingMonitor {
  /** Before the first step of an epoch. */
  start(): void;
  /** After its last: metrics by name, reported at the epoch. */
  finish(): Promise<Readonly<Record<string, number>>>;
  /** When training ends, however it does. */
  stop(): void;
}

export interface TrainingOptions<Batch> {
  network: TrainableNetwork<Batch>;
  batches: BatchSource<Batch>;
  seed: number;
  /** Epochs in all, those of the state included. */
  epochs: number;
  /** Epochs between validations; the last epoch has one, too. 0 for none. */
  evaluateEvery: number;
  validate(): Promise<Validation>;
  /** Stop after so many validations without a better one; 0 never. */
  patience: number;
  /** Whether the parameters of the best validation are kept. */
  keepsBest: boolean;
  /** Epochs between checkpoints; 0 for none. */
  checkpointEvery: number;
  observer: TrainingObserver;
  monitor?: TrainingMonitor | undefined;
  /** Throws when the run is cancelled; asked before every step. */
  throwIfCancelled(): void;
}

/** Least time between two messages of progress within an epoch. */
const PROGRESS_MS = 500;

/**
 * Trains until `epochs` are done or patience has run out, changing `state` in place, from wherever it stands: a state that
 * was restored goes on to the numbers of one that never stopped. Metrics stand at their epoch: `train/loss` (mean over
 * positions, as drawn, dropout included), `time/epoch` and `system/tokens_per_second` of training alone, `valid/…`.
 * Throws RUN_FAILED with step, batch and norms where the loss is not finite, and after an epoch that leaves parameters that
 * are not: the last checkpoint is then from before.
 */
export async function trainNetwork<Batch>(state: TrainingState, options: TrainingOptions<Batch>): Promise<void> {
  try {
    await trainEpochs(state, options);
  } finally {
    options.monitor?.stop();
  }
}

async function trainEpochs<Batch>(state: TrainingState, options: TrainingOptions<Batch>): Promise<void> {
  const { epochs, evaluateEvery, checkpointEvery, patience, keepsBest, observer } = options;
  let stopped = hasWaited(state, patience);
  while (state.epoch < epochs && !stopped) {
    const start = performance.now();
    options.monitor?.start();
    const { loss, tokens } = await trainEpoch(state, options);
    const seconds = (performance.now() - start) / 1000;
    state.epoch++;
    const { epoch } = state;
    observer.timing('train', seconds);
    observer.metric('train/loss', epoch, loss);
    observer.metric('time/epoch', epoch, seconds);
    observer.metric('system/tokens_per_second', epoch, tokens / seconds);
    await requireFinite(state);
    const seen = (await options.monitor?.finish()) ?? {};
    for (const [name, value] of Object.entries(seen)) observer.metric(name, epoch, value);
    if (evaluateEvery > 0 && (epoch % evaluateEvery === 0 || epoch === epochs)) {
      const validating = performance.now();
      const { metrics, score } = await options.validate();
      observer.timing('evaluate', (performance.now() - validating) / 1000);
      for (const [name, value] of Object.entries(metrics)) observer.metric(`valid/${name}`, epoch, value);
      stopped = await noteScore(state, score, { patience, keepsBest });
    }
    if (checkpointEvery > 0 && (epoch % checkpointEvery === 0 || epoch === epochs || stopped)) {
      observer.checkpoint(epoch, await encodeTraining(state));
    }
    observer.progress(epoch / epochs, `epoch ${epoch} of ${epochs}, loss ${loss.toFixed(4)}`);
  }
  if (state.epoch < epochs && state.best !== null) {
    observer.log('info', `stopped after epoch ${state.epoch}: the best validation was after epoch ${state.best.epoch}`);
  }
}

async function trainEpoch<Batch>(
  state: TrainingState,
  { network, batches, seed, epochs, observer, throwIfCancelled }: TrainingOptions<Batch>,
): Promise<{ loss: number; tokens: number }> {
  const { batchesPerEpoch } = batches;
  const drawSeed = randomGenerator(seed, 'training dropout').nextUint32();
  let [sum, positions, tokens, batchNumber] = [0, 0, 0, 0];
  let told = performance.now();
  for (const batch of batches.epoch(state)) {
    throwIfCancelled();
    const { step } = state.optimizer;
    const loss = await trainStep(state, () => network.loss(batch, { seed: drawSeed, step }), {
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

/** One step of the optimiser; returns the loss before it. */
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

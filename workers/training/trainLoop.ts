import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Validation } from '../evaluation/protocols/protocol.ts';

/** What training reports to; its functions are called in order and never block. */
export interface TrainingObserver {
  metric(name: string, step: number, value: number): void;
  log(level: 'info', text: string): void;
  progress(fraction: number, message: string): void;
  checkpoint(step: number, bytes: Uint8Array): void;
  /** Where a sweep may stop the run early: keeps the state from which it would then go on, without storing it yet. */
  readonly holdCheckpoint?: ((step: number, bytes: Uint8Array) => void) | undefined;
  timing(phase: string, seconds: number): void;
}

/** An observer that ignores all but what `told` has functions for. */
export function quietObserver(told: Partial<TrainingObserver> = {}): TrainingObserver {
  const nothing = (): void => undefined;
  return { metric: nothing, log: nothing, progress: nothing, checkpoint: nothing, timing: nothing, ...told };
}

/** The result of one epoch. */
export interface EpochResult {
  /** Mean over what was trained on. */
  loss: number;
  /** Tokens trained on, for the throughput; null where none is reported. */
  tokens: number | null;
}

/** A model with its optimizer, as the loop trains it: epoch by epoch. */
export interface Learner {
  /** Epochs done. */
  readonly epoch: number;
  /** The best validation so far; null before the first. */
  readonly best: { readonly epoch: number; readonly score: number } | null;
  trainEpoch(): Promise<EpochResult>;
  /** Throws RUN_FAILED where the epoch left numbers that are not finite. */
  check(result: EpochResult): Promise<void>;
  /** Metrics of the epoch by name, beside its loss. */
  measure(): Promise<Readonly<Record<string, number>>>;
  /** Records the score of a validation, higher is better. Returns whether patience has run out, so that training should stop. */
  noteScore(score: number): Promise<boolean>;
  /** Whether patience had run out in the state that was restored. */
  isOutOfPatience(): boolean;
  /** All that changes while training, as bytes. */
  save(): Promise<Uint8Array>;
  /** Restores a saved state. False, with nothing changed, where it is damaged or another learner's. */
  restore(bytes: Uint8Array): boolean;
  /** Returns to the parameters of the best validation, where they are kept; returns their epoch. */
  takeBest(): number;
  /** Releases everything that it holds. */
  dispose(): void | Promise<void>;
}

export interface LoopOptions {
  /** Epochs in all, those done included. */
  epochs: number;
  /** Epochs between validations; the last epoch has one, too. 0, and left out, for none. */
  evaluateEvery?: number;
  /** Needed where `evaluateEvery` is above 0. */
  validate?(): Promise<Validation>;
  /** Epochs between checkpoints; 0, and left out, for none. */
  checkpointEvery?: number;
  /** Whether the last epoch leaves a checkpoint, too; left out, it does where there are any. */
  checkpointsEnd?: boolean;
  observer: TrainingObserver;
}

/** How training ended. */
export interface Trained {
  /** The epoch that the parameters are of: the best where those are kept, else the last. */
  testedEpoch: number;
  /** Whether the loss ceased to be finite, which ended training. */
  hasDiverged: boolean;
}

export interface TrainingPlan<Result> extends LoopOptions {
  /** What an earlier attempt saved; null for none. */
  checkpoint?: Uint8Array | null;
  /** Called before the first epoch if there is a checkpoint: whether it could be restored. */
  onRestore?(isRestored: boolean): void;
  /** Whether training that diverges is tested as it was at its best; otherwise it throws. */
  endsOnDivergence?: boolean;
  /** Called at the end, before the learner is disposed. */
  test(trained: Trained): Promise<Result>;
}

/**
 * Trains a learner from its checkpoint or from the start, validates it, tests it with its best or last parameters, and disposes it,
 * however training ends.
 */
export async function train<Result>(learner: Learner, plan: TrainingPlan<Result>): Promise<Result> {
  const { checkpoint = null, onRestore, endsOnDivergence = false } = plan;
  try {
    if (checkpoint !== null) {
      const isRestored = learner.restore(checkpoint);
      onRestore?.(isRestored);
    }
    let hasDiverged = false;
    try {
      await trainEpochs(learner, plan);
    } catch (error) {
      if (!endsOnDivergence || !(error instanceof WarrenError) || error.code !== 'RUN_FAILED') throw error;
      hasDiverged = true;
    }
    return await plan.test({ testedEpoch: learner.takeBest(), hasDiverged });
  } finally {
    await learner.dispose();
  }
}

/**
 * Trains until `epochs` are done or patience has run out, from wherever the learner stands. Metrics stand at their epoch:
 * `train/loss`, `time/epoch` and `system/tokens_per_second` of training alone, what the learner measures, `valid/…`. What is
 * not finite is neither validated nor kept: the last checkpoint is from before.
 */
export async function trainEpochs(learner: Learner, options: LoopOptions): Promise<void> {
  const { epochs, evaluateEvery = 0, checkpointEvery = 0, checkpointsEnd = true, observer } = options;
  let stopped = learner.isOutOfPatience();
  while (learner.epoch < epochs && !stopped) {
    const start = performance.now();
    const result = await learner.trainEpoch();
    const { loss, tokens } = result;
    const seconds = (performance.now() - start) / 1000;
    const { epoch } = learner;
    observer.timing('train', seconds);
    observer.metric('train/loss', epoch, loss);
    observer.metric('time/epoch', epoch, seconds);
    if (tokens !== null) observer.metric('system/tokens_per_second', epoch, tokens / seconds);
    await learner.check(result);
    for (const [name, value] of Object.entries(await learner.measure())) observer.metric(name, epoch, value);
    const isEvaluated = evaluateEvery > 0 && (epoch % evaluateEvery === 0 || epoch === epochs);
    if (options.validate !== undefined && isEvaluated) {
      const validating = performance.now();
      const { metrics, score } = await options.validate();
      observer.timing('evaluate', (performance.now() - validating) / 1000);
      for (const [name, value] of Object.entries(metrics)) observer.metric(`valid/${name}`, epoch, value);
      stopped = await learner.noteScore(score);
    }
    const isEnd = checkpointsEnd && (epoch === epochs || stopped);
    if (checkpointEvery > 0 && (epoch % checkpointEvery === 0 || isEnd)) {
      observer.checkpoint(epoch, await learner.save());
    } else if (observer.holdCheckpoint !== undefined && (isEvaluated || evaluateEvery === 0)) {
      observer.holdCheckpoint(epoch, await learner.save());
    }
    observer.progress(epoch / epochs, `epoch ${epoch} of ${epochs}, loss ${loss.toFixed(4)}`);
  }
  if (learner.epoch < epochs && learner.best !== null) {
    observer.log(
      'info',
      `stopped after epoch ${learner.epoch}: the best validation was after epoch ${learner.best.epoch}`,
    );
  }
}

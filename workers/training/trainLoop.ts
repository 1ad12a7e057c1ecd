import type { Validation } from '../evaluation/protocols/protocol.ts';

/** What training tells; called in order, never blocking. */
export interface TrainingObserver {
  metric(name: string, step: number, value: number): void;
  log(level: 'info', text: string): void;
  progress(fraction: number, message: string): void;
  checkpoint(step: number, bytes: Uint8Array): void;
  timing(phase: string, seconds: number): void;
}

/** What one epoch came to. */
export interface EpochResult {
  /** Mean over what was trained on. */
  loss: number;
  /** For the throughput; null where none is told. */
  tokens: number | null;
}

/** What is trained epoch by epoch: its state, and how it goes on. */
export interface Learner {
  /** Epochs done. */
  readonly epoch: number;
  /** Epoch of the best validation so far; null before the first, and where none is noted. */
  readonly bestEpoch: number | null;
  trainEpoch(): Promise<EpochResult>;
  /** Throws RUN_FAILED where the epoch left numbers that are not finite. */
  check(result: EpochResult): Promise<void>;
  /** Metrics of the epoch by name, beside its loss. */
  measure(): Promise<Readonly<Record<string, number>>>;
  /** Takes note of a validation, more is better; true when so many went by without a better one that training should stop. */
  noteScore(score: number): Promise<boolean>;
  /** Whether that was so when the state was left. */
  hasWaited(): boolean;
  /** All that changes while training, as bytes. */
  save(): Promise<Uint8Array>;
}

export interface LoopOptions {
  /** Epochs in all, those done included. */
  epochs: number;
  /** Epochs between validations; the last epoch has one, too. 0 for none. */
  evaluateEvery: number;
  validate(): Promise<Validation>;
  /** Epochs between checkpoints; 0 for none. */
  checkpointEvery: number;
  /** Whether the last epoch leaves a checkpoint, too. */
  checkpointsEnd: boolean;
  observer: TrainingObserver;
}

/**
 * Trains until `epochs` are done or patience has run out, from wherever the learner stands. Metrics stand at their epoch:
 * `train/loss`, `time/epoch` and `system/tokens_per_second` of training alone, what the learner measures, `valid/…`. What is
 * not finite is neither validated nor kept: the last checkpoint is from before.
 */
export async function trainEpochs(learner: Learner, options: LoopOptions): Promise<void> {
  const { epochs, evaluateEvery, checkpointEvery, checkpointsEnd, observer } = options;
  let stopped = learner.hasWaited();
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
    if (evaluateEvery > 0 && (epoch % evaluateEvery === 0 || epoch === epochs)) {
      const validating = performance.now();
      const { metrics, score } = await options.validate();
      observer.timing('evaluate', (performance.now() - validating) / 1000);
      for (const [name, value] of Object.entries(metrics)) observer.metric(`valid/${name}`, epoch, value);
      stopped = await learner.noteScore(score);
    }
    const isEnd = checkpointsEnd && (epoch === epochs || stopped);
    if (checkpointEvery > 0 && (epoch % checkpointEvery === 0 || isEnd)) {
      observer.checkpoint(epoch, await learner.save());
    }
    observer.progress(epoch / epochs, `epoch ${epoch} of ${epochs}, loss ${loss.toFixed(4)}`);
  }
  if (learner.epoch < epochs && learner.bestEpoch !== null) {
    observer.log(
      'info',
      `stopped after epoch ${learner.epoch}: the best validation was after epoch ${learner.bestEpoch}`,
    );
  }
}

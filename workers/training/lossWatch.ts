import type { TrainingObserver } from './trainLoop.ts';

/**
 * Early stopping by the training loss, for networks: `improvements` counts the epochs that lowered the loss by at least the
 * minimum. As the score of a validation after every epoch it is what patience waits for.
 */
export class LossWatch implements TrainingObserver {
  improvements = 0;
  epoch = 0;
  loss = Number.POSITIVE_INFINITY;
  seconds = 0;
  readonly #minimum: number;
  readonly progress: TrainingObserver['progress'];
  readonly checkpoint: TrainingObserver['checkpoint'];

  constructor(
    minimum: number,
    progress: TrainingObserver['progress'],
    checkpoint: TrainingObserver['checkpoint'] = () => undefined,
  ) {
    this.#minimum = minimum;
    this.progress = progress;
    this.checkpoint = checkpoint;
  }

  metric(name: string, step: number, value: number): void {
    if (name === 'time/epoch') this.seconds = value;
    if (name !== 'train/loss') return;
    if (this.loss - value >= this.#minimum) this.improvements++;
    this.loss = value;
    this.epoch = step;
  }

  log(): void {}

  timing(): void {}
}

import type { Point } from './searchSpace.ts';

/** A trial that was drawn before. */
export interface PastTrial {
  number: number;
  point: Point;
  /**
   * Its objective, smaller is better (`lossOf`); where it was stopped early what it had come to; `failed` where there is none
   * though it ended, `running` while it may yet come. Trials that a person cancelled say nothing, and are left out.
   */
  outcome: number | StoppedEarly | 'failed' | 'running';
}

/** A trial that was stopped early. */
export interface StoppedEarly {
  /** Iterations of the metric at its last rung. */
  iteration: number;
  /** The metric there, smaller is better. */
  loss: number | 'failed';
}

/** An objective as samplers take it: smaller is better. A value that is no finite number is a failure. */
export function lossOf(objective: number, goal: 'minimize' | 'maximize'): number | 'failed' {
  if (!Number.isFinite(objective)) return 'failed';
  return goal === 'minimize' ? objective : -objective;
}

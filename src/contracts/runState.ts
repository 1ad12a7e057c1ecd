/**
 * The life of a run. WAITING waits for inputs of other runs; QUEUED waits for a worker; RUNNING holds a lease.
 * The last three are final, but a retry takes a run from FAILED or CANCELLED back to QUEUED as a new attempt.
 */
export const RUN_STATES = ['WAITING', 'QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type RunState = (typeof RUN_STATES)[number];

const TRANSITIONS: Readonly<Record<RunState, readonly RunState[]>> = {
  WAITING: ['QUEUED', 'FAILED', 'CANCELLED'],
  QUEUED: ['RUNNING', 'CANCELLED'],
  RUNNING: ['QUEUED', 'SUCCEEDED', 'FAILED', 'CANCELLED'],
  SUCCEEDED: [],
  FAILED: ['QUEUED', 'WAITING'],
  CANCELLED: ['QUEUED', 'WAITING'],
};

export function canMove(from: RunState, to: RunState): boolean {
  return TRANSITIONS[from].includes(to);
}

export function isFinal(state: RunState): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED' || state === 'CANCELLED';
}

/** States that a run may be in before it moves to `to`: for one atomic `UPDATE … WHERE state IN (…)`. */
export function statesBefore(to: RunState): RunState[] {
  return RUN_STATES.filter((from) => canMove(from, to));
}

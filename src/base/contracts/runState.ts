import { assertNever } from '../lib/assertNever.ts';

/**
 * The life of a run. WAITING waits for inputs of other runs; QUEUED waits for a worker; RUNNING holds a lease.
 * The others are final, but a retry takes a run from FAILED, CANCELLED or PRUNED (its sweep stopped it early) back to QUEUED
 * as a new attempt, and an external
 * run that CRASHED (nothing was heard of its program any more) is RUNNING again as soon as something is heard of it. A program
 * started anew takes an external run up again from FAILED and CANCELLED, too.
 */
export const RUN_STATES = [
  'WAITING',
  'QUEUED',
  'RUNNING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
  'CRASHED',
  'PRUNED',
] as const;
export type RunState = (typeof RUN_STATES)[number];

const TRANSITIONS: Readonly<Record<RunState, readonly RunState[]>> = {
  WAITING: ['QUEUED', 'FAILED', 'CANCELLED', 'PRUNED'],
  QUEUED: ['RUNNING', 'CANCELLED', 'PRUNED'],
  RUNNING: ['QUEUED', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'CRASHED', 'PRUNED'],
  SUCCEEDED: [],
  FAILED: ['QUEUED', 'WAITING', 'RUNNING'],
  CANCELLED: ['QUEUED', 'WAITING', 'RUNNING'],
  CRASHED: ['RUNNING', 'CANCELLED'],
  PRUNED: ['QUEUED', 'WAITING'],
};

export function canMove(from: RunState, to: RunState): boolean {
  return TRANSITIONS[from].includes(to);
}

export function isFinal(state: RunState): boolean {
  switch (state) {
    case 'WAITING':
    case 'QUEUED':
    case 'RUNNING':
      return false;
    case 'SUCCEEDED':
    case 'FAILED':
    case 'CANCELLED':
    case 'CRASHED':
    case 'PRUNED':
      return true;
    default:
      return assertNever(state);
  }
}

/** States that a run may be in before it moves to `to`: for one atomic `UPDATE … WHERE state IN (…)`. */
export function statesBefore(to: RunState): RunState[] {
  return RUN_STATES.filter((from) => canMove(from, to));
}

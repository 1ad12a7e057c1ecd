import { isFinal, type RunState } from '#src/base/contracts/runState.ts';

/** Whether a run in this state is still under way. */
export function isLive(state: RunState): boolean {
  return !isFinal(state);
}

export function isRetryable(state: RunState): boolean {
  return state === 'FAILED' || state === 'CANCELLED' || state === 'PRUNED';
}

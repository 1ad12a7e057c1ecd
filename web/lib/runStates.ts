export const RUN_STATES = ['WAITING', 'QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Whether a run in this state can still change by itself. */
export function isLive(state: RunState): boolean {
  return state === 'WAITING' || state === 'QUEUED' || state === 'RUNNING';
}

export function isRetryable(state: RunState): boolean {
  return state === 'FAILED' || state === 'CANCELLED';
}

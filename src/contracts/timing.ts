/** A worker's hold on a run ends this long after its last renewal. */
export const LEASE_MS = 15_000;
export const RENEW_MS = 5_000;
export const RECONCILE_MS = 5_000;
export const HEARTBEAT_MS = 5_000;
/** A worker not seen for this long counts as gone. */
export const WORKER_ALIVE_MS = 30_000;
/** Between asking an executor to stop and killing it; with the way to the worker this stays below two seconds. */
export const CANCEL_GRACE_MS = 1_500;

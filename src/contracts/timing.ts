/** A worker's hold on a run ends this long after its last renewal. */
export const LEASE_MS = 15_000;
export const RENEW_MS = 5_000;
export const RECONCILE_MS = 5_000;
export const HEARTBEAT_MS = 5_000;
/** A worker not seen for this long counts as gone. */
export const WORKER_ALIVE_MS = 30_000;
/** An external run counts as crashed after this much silence: of a program that sends heartbeats … */
export const HEARTBEAT_LEASE_SECONDS = 60;
/** … and of one that only reports what it has to tell. */
export const REPORT_LEASE_SECONDS = 900;
/** Between asking an executor to stop and killing it; with the way to the worker this stays below two seconds. */
export const CANCEL_GRACE_MS = 1_500;
/** The same where its sweep stops it early: it stops computing as soon, and then still sends its checkpoint. */
export const PRUNE_GRACE_MS = 20_000;
/** Nobody else gets a program of users before so long after its lease has run out, unless it was queued with another time. */
export const RELEASE_SECONDS = 600;
/** So long before that a worker that cannot renew the lease ends the program. */
export const RELEASE_MARGIN_MS = 10_000;

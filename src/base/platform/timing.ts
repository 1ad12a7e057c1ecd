/** How long Warren waits for whom, and how often it looks at what nobody tells it. */
export interface Timing {
  /** A worker's hold on a run ends this long after its last renewal. */
  leaseMs: number;
  renewMs: number;
  reconcileMs: number;
  heartbeatMs: number;
  /** A worker not seen for this long counts as gone. */
  workerAliveMs: number;
  /** Nobody else gets a program of users before so long after its lease has run out, unless it was queued with another time. */
  releaseMs: number;
  /** So long before that a worker that cannot renew the lease ends the program. */
  releaseMarginMs: number;
  /** Between two looks for workers of this machine that were killed. */
  deadWorkersMs: number;
  /** Files that come into the data folders are made known within this time. */
  datasetsMs: number;
  /** A run queued this recently still has its job under way to the queue. */
  settlingMs: number;
  /** The pause before a run's second attempt, doubled with each further one … */
  firstBackoffMs: number;
  /** … and the longest. */
  longestBackoffMs: number;
  /** Between two looks at what alerts have to tell, and for messages that are due. */
  alertLookMs: number;
  deliveryMs: number;
  /** After a process has reached the database, workers have this long to do so, too, before alerts say that they are gone. */
  workersQuietMs: number;
  /** A worker's taker of commands looks this often where no notification comes. */
  commandLookMs: number;
  /** Between two questions of a command that follows runs, and of one that follows what is slower. */
  followMs: number;
  pollMs: number;
}

/** The times of a Warren that runs `scale` times as slowly as a real one. */
export function timingOf(scale: number): Timing {
  const scaled = (ms: number): number => Math.round(ms * scale);
  return {
    leaseMs: scaled(15_000),
    renewMs: scaled(5_000),
    reconcileMs: scaled(5_000),
    heartbeatMs: scaled(5_000),
    workerAliveMs: scaled(30_000),
    releaseMs: scaled(600_000),
    releaseMarginMs: scaled(10_000),
    deadWorkersMs: scaled(2_000),
    datasetsMs: scaled(5_000),
    settlingMs: scaled(3_000),
    firstBackoffMs: scaled(1_000),
    longestBackoffMs: scaled(60_000),
    alertLookMs: scaled(2_000),
    deliveryMs: scaled(1_000),
    workersQuietMs: scaled(15_000),
    commandLookMs: scaled(2_000),
    followMs: scaled(250),
    pollMs: scaled(500),
  };
}

/** Whether a text can be WARREN_TIMING: tenths; with less, leases would end while a busy machine has no time to renew them. */
export function isTimingScale(text: string): boolean {
  return /^(0\.[1-9]|1)$/.test(text);
}

const given = process.env.WARREN_TIMING?.trim() ?? '';

/**
 * The times of this process. WARREN_TIMING, the same for all processes on one database, makes them shorter, for tests: `0.4` is two
 * fifths. A wrong value is refused where all variables are read.
 */
export const TIMING: Timing = timingOf(isTimingScale(given) ? Number(given) : 1);

// Of programs and people rather than of Warren: they do not get shorter with it.

/** An external run counts as crashed after this much silence: of a program that sends heartbeats … */
export const HEARTBEAT_LEASE_SECONDS = 60;
/** … and of one that only reports what it has to tell. */
export const REPORT_LEASE_SECONDS = 900;
/** Between asking an executor to stop and killing it; with the way to the worker this stays below two seconds. */
export const CANCEL_GRACE_MS = 1_500;
/** The same where its sweep stops it early: it stops computing as soon, and then still sends its checkpoint. */
export const PRUNE_GRACE_MS = 20_000;

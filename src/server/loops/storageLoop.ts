import { removeAbandoned } from '#src/base/platform/artifacts/artifactFiles.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import type { Logger } from '#src/base/platform/logger.ts';
import { COLLECT_AGE_MS, collectArtifacts, sweepArtifacts } from '#src/artifacts/collectArtifacts.ts';
import { forgetOldActs } from '#src/audit/auditLog.ts';
import { removeOldLogs } from '#src/logs/removeOldLogs.ts';
import { thinPoints } from '#src/metrics/thinPoints.ts';
import { removeCheckpoints } from '#src/artifacts/removeCheckpoints.ts';
import { emptyTrash } from '#src/runs/emptyTrash.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { createScrubber } from './scrubber.ts';
import { startLoop } from './startLoop.ts';

export interface StorageLoopOptions {
  services: ServiceContext;
  store: ArtifactStore;
  logger: Logger;
  /** Runs are deleted for good after so many days in the trash; null keeps them. */
  trashDays: number | null;
  /** Days for which the audit log remembers. */
  auditDays: number;
  /** Checkpoints are removed so many days after the end of their run; null keeps them. */
  checkpointDays: number | null;
  /** Logs are removed so many days after the end of their run; null keeps them. */
  logDays: number | null;
  /** Curves are thinned so many days after the end of their run, to so many points; null keeps them whole. */
  pointDays: number | null;
  pointsKept: number;
  /** Where uploads in parts wait for their rest. */
  uploadFolder: string;
  /** Milliseconds between two looks for content that nothing refers to. */
  collectEveryMs: number;
}

/** Between looks through the whole store, and at the trash. */
const SWEEP_MS = 60 * 60 * 1_000;

/** Frees disk: what nothing refers to, what is in the trash for too long; and reads what is kept, to find damage. */
export function startStorageLoop(options: StorageLoopOptions): { stop(): Promise<void> } {
  const { services, store, logger, checkpointDays, auditDays, collectEveryMs } = options;
  const scrub = createScrubber(store);
  let sweepAtMs = 0;
  let trashAtMs = 0;
  let thinAtMs = 0;
  return startLoop({
    everyMs: collectEveryMs,
    async work() {
      if (performance.now() >= sweepAtMs) {
        await sweepArtifacts(services, store);
        await removeAbandoned(options.uploadFolder);
        await forgetOldActs(services, auditDays);
        if (checkpointDays !== null) {
          const { files, bytes } = await removeCheckpoints(services, { olderThanDays: checkpointDays, dryRun: false });
          if (files > 0) logger.info({ files, bytes }, 'removed checkpoints of runs that ended long enough ago');
        }
        sweepAtMs = performance.now() + SWEEP_MS;
      }
      // what is left for another call is done at the next look
      if (performance.now() >= trashAtMs && !(await emptyOldTrash(options)).more)
        trashAtMs = performance.now() + SWEEP_MS;
      if (performance.now() >= thinAtMs && !(await thinReports(options)).more) thinAtMs = performance.now() + SWEEP_MS;
      const collected = await collectArtifacts(services, store, Math.min(COLLECT_AGE_MS, collectEveryMs));
      if (collected.files > 0) logger.info(collected, 'removed artifact files that nothing refers to');
      if (!store.keptByOthers) await scrub();
    },
    logger,
    failing: 'the artifact store cannot be cared for at the moment',
    again: 'the artifact store is cared for again',
  });
}

/** Deletes some of the runs for good that are in the trash for long enough. */
async function emptyOldTrash({ services, logger, trashDays }: StorageLoopOptions): Promise<{ more: boolean }> {
  if (trashDays === null) return { more: false };
  const { runs, bytes, remaining } = await emptyTrash(services, { olderThanDays: trashDays, dryRun: false });
  if (runs > 0) logger.info({ runs, bytes }, 'deleted runs for good that were in the trash for long enough');
  return { more: remaining > 0 };
}

/** Removes logs and thins curves as the rules say, for some seconds. */
async function thinReports(options: StorageLoopOptions): Promise<{ more: boolean }> {
  const { services, logger, logDays, pointDays, pointsKept } = options;
  let more = false;
  if (logDays !== null) {
    const removed = await removeOldLogs(services, { olderThanDays: logDays, dryRun: false });
    more ||= removed.more;
    const { runs, lines } = removed;
    if (lines > 0) logger.info({ runs, lines }, 'removed logs of runs that ended long enough ago');
  }
  if (pointDays !== null) {
    const thinned = await thinPoints(services, { olderThanDays: pointDays, keep: pointsKept, dryRun: false });
    more ||= thinned.more;
    const { runs, series, points } = thinned;
    if (series > 0) logger.info({ runs, series, points }, 'thinned curves of runs that ended long enough ago');
  }
  return { more };
}

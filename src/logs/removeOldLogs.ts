import { inTransaction } from '#src/base/database/connection.ts';
import { listOldLogs, type OldLog, removeOldLog } from '#src/logs/store/oldLogs.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { checkedAge } from '#src/base/contracts/checkedAge.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** Of each attempt so many lines stay, which say how it ended. */
export const LINES_KEPT = 100;
const RUNS_AT_ONCE = 500;
/** A call ends after so long, to be made again. */
const LONGEST_MS = 5_000;

/** What went of logs, or would go. */
export interface RemovedLogs {
  runs: number;
  lines: number;
  /** Of the texts of these lines. */
  bytes: number;
  /** Whether there is more for another call. */
  more: boolean;
}

/**
 * Removes the logs of runs that ended at least so many days ago, but for the last lines of each attempt; the history of the
 * run says so.
 * @throws WarrenError BAD_INPUT for a number of days below 0 or without end.
 */
export async function removeOldLogs(
  { db }: Pick<ServiceContext, 'db'>,
  { olderThanDays, dryRun }: { olderThanDays: number; dryRun: boolean },
): Promise<RemovedLogs> {
  const old = { days: checkedAge(olderThanDays), keep: LINES_KEPT };
  const total: RemovedLogs = { runs: 0, lines: 0, bytes: 0, more: false };
  const startedMs = performance.now();
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await listOldLogs(db, { ...old, after, limit: RUNS_AT_ONCE });
    for (const log of page.filter(({ lines }) => lines > 0)) {
      const lines = dryRun ? log.lines : await removeOne(db, log, old);
      if (lines === 0) continue;
      total.runs += 1;
      total.lines += lines;
      total.bytes += log.bytes;
      total.more = !dryRun && performance.now() - startedMs > LONGEST_MS;
      if (total.more) return total;
    }
    if (page.length < RUNS_AT_ONCE) return total;
    after = page.at(-1)!.runId;
  }
}

async function removeOne(
  db: ServiceContext['db'],
  { runId }: OldLog,
  old: { days: number; keep: number },
): Promise<number> {
  return await inTransaction(db, async (connection) => {
    const lines = await removeOldLog(connection, runId, old);
    if (lines === 0) return 0;
    const message = `${lines} older lines of the log were removed; the last ${old.keep} of each attempt stay`;
    await addRunEvents(connection, [{ runId, type: 'logRemoved', message, data: { lines } }]);
    return lines;
  });
}

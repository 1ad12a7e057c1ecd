import { type ContentTotals, contentOfRunsAlone } from '#src/artifacts/store/contentTotals.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { deleteForGood, listMadeVersions, listTrash, listUsers } from '#src/runs/store/trash.ts';
import { purgeProjects } from '#src/projects/store/changeProject.ts';
import { purgeReports } from '#src/reports/store/reportRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { checkedAge } from '#src/base/contracts/checkedAge.ts';

/** Runs deleted in one call; the caller asks again while more are left. */
const MOST_RUNS = 200;

export interface EmptyTrashInput {
  /** Runs that have been in the trash for at least so many days. */
  olderThanDays: number;
  /** Only tell what would be done. */
  dryRun: boolean;
}

/** A run that stays in the trash because what it left is needed. */
export interface KeptRun {
  number: number;
  name: string;
  /** Numbers of the runs that use it as an input. */
  usedBy: number[];
  /** Versions that were registered from it, as `NAME:VERSION`. */
  registeredAs: string[];
}

export interface EmptiedTrash {
  runs: number;
  /** Files of the artifact store that nothing else refers to, and their bytes. */
  files: number;
  bytes: number;
  kept: KeptRun[];
  /** Runs that another call will delete; 0 when all is done. */
  remaining: number;
  reports: number;
  /** Projects, without runs by now. */
  projects: number;
}

/**
 * Deletes runs, reports and projects for good that have been in the trash for long enough; the collector frees their files. A run that a run
 * which stays uses as an input is kept, and one from which a version was registered.
 * @throws WarrenError BAD_INPUT for a number of days below 0 or without end.
 */
export async function emptyTrash(
  context: Pick<ServiceContext, 'db'>,
  { olderThanDays, dryRun }: EmptyTrashInput,
): Promise<EmptiedTrash> {
  checkedAge(olderThanDays);
  const reports = await purgeReports(context.db, { olderThanDays, dryRun });
  const trash = await listTrash(context.db, olderThanDays);
  const ids = trash.map(({ id }) => id);
  const [users, versions] = await Promise.all([listUsers(context.db, ids), listMadeVersions(context.db, ids)]);
  const { free, kept } = sortOut(trash, users, versions);
  if (dryRun) {
    const runIds = free.map(({ id }) => id);
    const totals = await contentOfRunsAlone(context.db, runIds);
    const projects = await purgeProjects(context.db, { olderThanDays, dryRun, runIds });
    return { runs: free.length, ...totals, kept, remaining: 0, reports, projects };
  }
  const total = { runs: 0, files: 0, bytes: 0 };
  // a run is made after those whose artifacts it uses: the newest go first
  for (const { id } of free.slice(0, MOST_RUNS)) {
    const freed = await inTransaction(context.db, async (connection): Promise<ContentTotals | null> => {
      const content = await contentOfRunsAlone(connection, [id]);
      return (await deleteForGood(connection, id, olderThanDays)) ? content : null;
    });
    if (freed === null) continue;
    total.runs += 1;
    total.files += freed.files;
    total.bytes += freed.bytes;
  }
  const projects = await purgeProjects(context.db, { olderThanDays, dryRun });
  return { ...total, kept, remaining: Math.max(0, free.length - MOST_RUNS), reports, projects };
}

interface TrashRun {
  id: string;
  number: number;
  name: string;
}

/** Splits off the runs that a run which stays or a registered version needs, and those that these need in turn. */
function sortOut(
  trash: readonly TrashRun[],
  users: readonly { sourceRunId: string; userId: string; userNumber: number }[],
  versions: readonly { runId: string; version: string }[],
): { free: TrashRun[]; kept: KeptRun[] } {
  const free = new Map(trash.map((run) => [run.id, run]));
  const usedBy = new Map<string, number[]>();
  const registeredAs = new Map<string, string[]>();
  for (const { runId, version } of versions) {
    registeredAs.set(runId, [...(registeredAs.get(runId) ?? []), version]);
    free.delete(runId);
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (const { sourceRunId, userId, userNumber } of users) {
      if (free.has(userId)) continue;
      const numbers = usedBy.get(sourceRunId) ?? [];
      if (numbers.includes(userNumber)) continue;
      usedBy.set(sourceRunId, [...numbers, userNumber]);
      changed = free.delete(sourceRunId) || changed;
    }
  }
  const kept = trash.flatMap(({ id, number, name }) => {
    if (free.has(id)) return [];
    const numbers = (usedBy.get(id) ?? []).toSorted((a, b) => a - b);
    return [{ number, name, usedBy: numbers, registeredAs: registeredAs.get(id) ?? [] }];
  });
  return { free: [...free.values()], kept };
}

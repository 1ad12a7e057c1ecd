import { badInput } from '#src/contracts/errors.ts';
import { type ContentTotals, contentOfRunsAlone } from '#src/store/artifacts/contentTotals.ts';
import { inTransaction } from '#src/store/database/connection.ts';
import { deleteForGood, listTrash, listUsers } from '#src/store/runs/trash.ts';
import type { ServiceContext } from '../serviceContext.ts';

/** Runs deleted in one call; the caller asks again while more are left. */
const MOST_RUNS = 200;
const LONGEST_DAYS = 36_500;

export interface EmptyTrashInput {
  /** Runs that have been in the trash for at least so many days. */
  olderThanDays: number;
  /** Only tell what would be done. */
  dryRun: boolean;
}

/** A run that stays in the trash because others need what it left. */
export interface KeptRun {
  number: number;
  name: string;
  /** Numbers of the runs that use it as an input. */
  usedBy: number[];
}

export interface EmptiedTrash {
  runs: number;
  /** Files of the artifact store that nothing else refers to, and their bytes. */
  files: number;
  bytes: number;
  kept: KeptRun[];
  /** Runs that another call will delete; 0 when all is done. */
  remaining: number;
}

/**
 * Deletes runs for good that have been in the trash for long enough; the collector frees their files. A run that a run
 * which stays uses as an input is kept.
 * @throws WarrenError BAD_INPUT for a number of days below 0 or without end.
 */
export async function emptyTrash(
  context: Pick<ServiceContext, 'db'>,
  { olderThanDays, dryRun }: EmptyTrashInput,
): Promise<EmptiedTrash> {
  if (!(olderThanDays >= 0 && olderThanDays <= LONGEST_DAYS)) {
    throw badInput(
      `olderThanDays: expected a number from 0 to ${LONGEST_DAYS}, received ${olderThanDays}`,
      'olderThanDays',
    );
  }
  const trash = await listTrash(context.db, olderThanDays);
  const { free, kept } = sortOut(
    trash,
    await listUsers(
      context.db,
      trash.map(({ id }) => id),
    ),
  );
  if (dryRun) {
    const totals = await contentOfRunsAlone(
      context.db,
      free.map(({ id }) => id),
    );
    return { runs: free.length, ...totals, kept, remaining: 0 };
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
  return { ...total, kept, remaining: Math.max(0, free.length - MOST_RUNS) };
}

interface TrashRun {
  id: string;
  number: number;
  name: string;
}

/** Splits off the runs that a run which stays needs, and those that these need in turn. */
function sortOut(
  trash: readonly TrashRun[],
  users: readonly { sourceRunId: string; userId: string; userNumber: number }[],
): { free: TrashRun[]; kept: KeptRun[] } {
  const free = new Map(trash.map((run) => [run.id, run]));
  const usedBy = new Map<string, number[]>();
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
    const numbers = usedBy.get(id);
    return numbers === undefined ? [] : [{ number, name, usedBy: numbers.toSorted((a, b) => a - b) }];
  });
  return { free: [...free.values()], kept };
}

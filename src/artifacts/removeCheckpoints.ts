import {
  type CheckpointTotals,
  countOldCheckpoints,
  removeOldCheckpoints,
} from '#src/artifacts/store/oldCheckpoints.ts';
import { checkedAge } from '#src/base/contracts/checkedAge.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** Rows removed by one statement. */
const SLICE = 1_000;

/**
 * Removes the checkpoints of runs that ended at least so many days ago: these runs can no more go on from there, nor be forked. What
 * other runs use as an input and what is registered stays. The collector frees the files.
 * @throws WarrenError BAD_INPUT for a number of days below 0 or without end.
 */
export async function removeCheckpoints(
  { db }: Pick<ServiceContext, 'db'>,
  { olderThanDays, dryRun }: { olderThanDays: number; dryRun: boolean },
): Promise<CheckpointTotals> {
  const totals = await countOldCheckpoints(db, checkedAge(olderThanDays));
  while (!dryRun && (await removeOldCheckpoints(db, olderThanDays, SLICE)) === SLICE);
  return totals;
}

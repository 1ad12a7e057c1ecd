import { arithmeticOf, type RunArithmetic } from '#src/base/contracts/arithmetic.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { selectWorkers } from '#src/fleet/store/workerRecord.ts';

/**
 * What the workers that are alive compute with: a finished run stands for a new one where that would have the same bits. Null
 * where no worker is alive: nobody knows what a new run would have, and any finished one stands for it.
 */
export async function arithmeticAtWork(connection: Connection): Promise<ReadonlySet<RunArithmetic> | null> {
  const workers = await selectWorkers(connection, { includeStopped: false });
  return workers.length === 0 ? null : new Set(workers.map(({ details }) => arithmeticOf(details)));
}

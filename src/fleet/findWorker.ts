import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { WorkerRecord } from '#src/fleet/store/workerRecord.ts';

/**
 * The worker of a name or an id among these. Of several of one name the only one that is alive counts.
 * @throws WarrenError NOT_FOUND when none has it, BAD_INPUT when several have the name.
 */
export function requireWorker(workers: readonly WorkerRecord[], reference: string): WorkerRecord {
  const named = workers.filter(({ id, name }) => id === reference.toLowerCase() || name === reference);
  const found = named.length > 1 && named.some(({ alive }) => alive) ? named.filter(({ alive }) => alive) : named;
  const [worker] = found;
  if (worker === undefined) {
    const names =
      workers
        .filter(({ alive }) => alive)
        .map(({ name }) => name)
        .join(', ') || 'none';
    throw new WarrenError('NOT_FOUND', `no worker "${reference}" is alive; those that are: ${names}`, {
      path: 'worker',
    });
  }
  if (found.length > 1) {
    throw badInput(`${found.length} workers are called "${reference}": give the id of one`, 'worker');
  }
  return worker;
}

import { createHash } from 'node:crypto';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { lockCallKey } from '#src/base/database/lockCallKey.ts';
import { findRunsById, type RunRecord } from '#src/runs/store/runRecord.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';

/** By which a call is known, within its project; null where each call is one of its own. @throws WarrenError BAD_INPUT. */
export function checkedKey(key: string | null | undefined): string | null {
  return key == null ? null : checkedName(key, 'key');
}

/** The id of what the call with this key makes at a place, the same whenever it is made. */
export function keyedId(...words: readonly (string | number)[]): string {
  const hex = createHash('sha256')
    .update(JSON.stringify(['warren key', ...words]))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What a call is to queue. */
interface KeyedRuns {
  key: string;
  project: string;
  seeds: readonly number[];
  configuration: { hash: string };
}

/** The ids of the runs of a call, in the order of its seeds. */
export function keyedRunIds({ key, project, seeds }: Omit<KeyedRuns, 'configuration'>): string[] {
  return seeds.map((_, index) => keyedId('runs', project, key, index));
}

/**
 * The runs that an earlier call with this key has made; null where there was none. Another call with it waits until the transaction
 * ends.
 * @throws WarrenError CONFLICT where it was a call for others.
 */
export async function findKeyedRuns(connection: Connection, wanted: KeyedRuns): Promise<RunRecord[] | null> {
  const ids = keyedRunIds(wanted);
  await lockCallKey(connection, ids[0]!);
  const known = new Map((await findRunsById(connection, ids)).map((run) => [run.id, run]));
  if (known.size === 0) return null;
  const runs = ids.flatMap((id) => known.get(id) ?? []);
  const isSame =
    runs.length === ids.length &&
    runs.every((run, index) => {
      return run.seed === wanted.seeds[index] && run.configurationHash === wanted.configuration.hash;
    });
  if (isSame) return runs;
  throw keyTaken(wanted.key, `queued others, such as run ${runs[0]!.number}`);
}

/** A key under which something else was made. */
export function keyTaken(key: string, did: string): WarrenError {
  const message = `key: another call with "${key}" ${did}: give each call a key of its own`;
  return new WarrenError('CONFLICT', message, { path: 'key' });
}

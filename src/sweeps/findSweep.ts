import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { findProjectByName } from '#src/projects/store/projectRecord.ts';
import { findSweep as findSweepRecord, listSweepsBefore, type SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^#?(\d{1,9})$/;

/** The sweep of that id or number; null when there is none. */
export async function findSweep(context: { db: Connection }, reference: string): Promise<SweepRecord | null> {
  const number = NUMBER.exec(reference)?.[1];
  if (number !== undefined) return await findSweepRecord(context.db, { number: Number(number) });
  return UUID.test(reference) ? await findSweepRecord(context.db, { id: reference }) : null;
}

/** As `findSweep`. @throws WarrenError NOT_FOUND when there is none. */
export async function requireSweep(context: { db: Connection }, reference: string): Promise<SweepRecord> {
  const sweep = await findSweep(context, reference);
  if (sweep === null) {
    const named = UUID.test(reference) || NUMBER.test(reference);
    const why = named
      ? `there is no sweep ${reference}`
      : `"${reference.slice(0, 80)}" names no sweep; give a sweep's number (such as 3) or its id`;
    throw new WarrenError('NOT_FOUND', why, { path: 'id' });
  }
  return sweep;
}

/** Sweeps of a project, or of all, the newest first. */
export async function listSweeps(
  context: Pick<ServiceContext, 'db'>,
  input: { project?: string | null | undefined; before?: number | null | undefined; first?: number | null | undefined },
): Promise<SweepRecord[]> {
  const first = checkedInteger(input.first ?? 50, { path: 'first', minimum: 0, maximum: 500 });
  const before = input.before ?? null;
  if (input.project == null) return await listSweepsBefore(context.db, { projectId: null, before, first });
  const project = await findProjectByName(context.db, input.project);
  if (project === null) {
    throw new WarrenError('NOT_FOUND', `there is no project "${input.project}"`, { path: 'project' });
  }
  return await listSweepsBefore(context.db, { projectId: project.id, before, first });
}

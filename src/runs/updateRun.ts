import { WarrenError } from '#src/base/contracts/errors.ts';
import { editRun } from '#src/runs/store/changeRuns.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { hearExternalRun } from './externalRun.ts';
import { requireRun, whyNoRun } from './findRun.ts';
import { checkedInteger, checkedName, checkedNotes, checkedTags, toldText } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface UpdateRunInput {
  /** Id or number. */
  id: string;
  name?: string | null | undefined;
  notes?: string | null | undefined;
  tags?: readonly string[] | null | undefined;
  /** Of a run that its program logs by itself, while it runs. */
  seed?: number | null | undefined;
}

/** What an event tells of a changed field. */
function toldOf([field, value]: [string, unknown]): [string, unknown] {
  return [field, typeof value === 'string' ? toldText(value) : value];
}

/** Changes what is given of a run's name, notes, tags and seed. @throws WarrenError; CONFLICT for the seed of a run that has ended. */
export async function updateRun(context: Pick<ServiceContext, 'db'>, input: UpdateRunInput): Promise<RunRecord> {
  const name = input.name == null ? null : checkedName(input.name, 'name');
  const tags = input.tags == null ? null : checkedTags(input.tags);
  const notes = input.notes == null ? null : checkedNotes(input.notes, 'notes');
  const seed =
    input.seed == null ? null : checkedInteger(input.seed, { path: 'seed', minimum: 0, maximum: 2_147_483_647 });
  const { id } = await requireRun(context, input.id);
  const changed = Object.entries({ name, notes, tags, seed }).filter(([, value]) => value !== null);
  return await inTransaction(context.db, async (connection) => {
    if (seed !== null) await hearExternalRun(connection, id);
    const run = await editRun(connection, id, { name, notes, tags, seed });
    if (run === null) throw new WarrenError('NOT_FOUND', whyNoRun(input.id), { path: 'id' });
    if (changed.length > 0) {
      const message = `Changed ${changed.map(([field]) => field).join(', ')}`;
      await addRunEvents(connection, [
        { runId: id, type: 'edited', message, data: Object.fromEntries(changed.map(toldOf)) },
      ]);
      await sendNotifications(connection, runNotifications([run]));
    }
    return run;
  });
}

import { badInput } from '#src/base/contracts/errors.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { upsertProject } from '#src/projects/store/projectRecord.ts';
import { addRunEvents } from '#src/runs/store/runEvent.ts';
import { moveToProject, retagRuns, setDescriptions } from '#src/runs/store/changeRuns.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import {
  checkedName,
  checkedNotes,
  checkedTags,
  LONGEST_NOTES,
  MOST_TAGS,
  toldText,
} from '#src/base/contracts/runFields.ts';
import { type Change, changeEach, type RunOutcome } from './runOutcome.ts';

export interface TagChange {
  add: readonly string[];
  remove: readonly string[];
}

/** @throws WarrenError BAD_INPUT without a tag, for tags that cannot be, and for one that is both added and removed. */
export function checkedTagChange({ add, remove }: TagChange): TagChange {
  const change = { add: checkedTags(add, 'addTags'), remove: checkedTags(remove, 'removeTags') };
  if (change.add.length + change.remove.length === 0) {
    throw badInput('addTags: expected tags to add or to remove, received none', 'addTags');
  }
  const both = change.add.find((tag) => change.remove.includes(tag));
  if (both !== undefined) throw badInput(`removeTags: "${both}" is to be added, too`, 'removeTags');
  return change;
}

/**
 * Adds tags to runs and takes others away. Runs that have it so already count as changed.
 * @param references Ids or numbers.
 */
export async function tagRuns(
  context: Pick<ServiceContext, 'db'>,
  references: readonly string[],
  change: TagChange,
): Promise<RunOutcome[]> {
  const { add, remove } = checkedTagChange(change);
  return await inTransaction(context.db, (connection) =>
    changeEach(connection, references, async (runs) => {
      const ids = runs.map((run) => run.id);
      const changed = await retagRuns(connection, ids, { add, remove, most: MOST_TAGS });
      await tell(connection, changed, (run) => ({ message: 'Changed tags', data: { tags: run.tags } }));
      const outcomes = new Map<string, Change>(runs.map((run) => [run.id, { run }]));
      for (const run of runs.filter(({ tags }) => new Set([...without(tags, remove), ...add]).size > MOST_TAGS)) {
        outcomes.set(run.id, { refused: `run ${run.number} would have more than ${MOST_TAGS} tags` });
      }
      for (const run of changed) outcomes.set(run.id, { run });
      return outcomes;
    }),
  );
}

export interface Description {
  /** The new name of all; null: each keeps its own. */
  name: string | null;
  /** A paragraph that is added to the notes; null: none. */
  note: string | null;
}

/** @throws WarrenError BAD_INPUT without a name and a note, and for those that cannot be. */
export function checkedDescription(given: { name?: string | null; addNote?: string | null }): Description {
  const name = given.name == null ? null : checkedName(given.name, 'name');
  const note = given.addNote == null ? null : checkedNotes(given.addNote.trim(), 'addNote');
  if (note === '') throw badInput('addNote: expected a text, received none', 'addNote');
  if (name === null && note === null) {
    throw badInput('name: expected a new name, or a note to add, received neither', 'name');
  }
  return { name, note };
}

/**
 * Gives runs a name, and their notes a further paragraph.
 * @param references Ids or numbers.
 */
export async function describeRuns(
  context: Pick<ServiceContext, 'db'>,
  references: readonly string[],
  { name, note }: Description,
): Promise<RunOutcome[]> {
  return await inTransaction(context.db, (connection) =>
    changeEach(connection, references, async (runs) => {
      const ids = runs.map((run) => run.id);
      const changed = await setDescriptions(connection, ids, { name, note, mostNotes: LONGEST_NOTES });
      const told = {
        ...(name === null ? {} : { name }),
        ...(note === null ? {} : { note: toldText(note) }),
      };
      const message = `Changed ${[...(name === null ? [] : ['name']), ...(note === null ? [] : ['notes'])].join(', ')}`;
      await tell(connection, changed, () => ({ message, data: told }));
      const full = (run: RunRecord) =>
        `notes of run ${run.number}: they would have more than ${LONGEST_NOTES} characters`;
      const outcomes = new Map<string, Change>(runs.map((run) => [run.id, { refused: full(run) }]));
      for (const run of changed) outcomes.set(run.id, { run });
      return outcomes;
    }),
  );
}

/**
 * Moves runs to a project, which is made where there is none of the name. Runs of a sweep stay with it.
 * @param references Ids or numbers.
 */
export async function moveRuns(
  context: Pick<ServiceContext, 'db'>,
  references: readonly string[],
  projectName: string,
): Promise<RunOutcome[]> {
  const name = checkedName(projectName, 'toProject');
  return await inTransaction(context.db, (connection) =>
    changeEach(connection, references, async (runs) => {
      const { id: projectId } = await upsertProject(connection, name);
      const ids = runs.map((run) => run.id);
      const moved = await moveToProject(connection, ids, projectId);
      await tell(connection, moved, () => ({ message: `Moved to the project ${name}`, data: { project: name } }));
      const outcomes = new Map<string, Change>(runs.map((run) => [run.id, { run }]));
      for (const run of runs.filter((one) => one.sweepId !== null && one.projectId !== projectId)) {
        outcomes.set(run.id, { refused: `run ${run.number} belongs to a sweep, and stays with it` });
      }
      for (const run of moved) outcomes.set(run.id, { run });
      return outcomes;
    }),
  );
}

function without(tags: readonly string[], removed: readonly string[]): string[] {
  return tags.filter((tag) => !removed.includes(tag));
}

async function tell(
  connection: Connection,
  runs: readonly RunRecord[],
  event: (run: RunRecord) => { message: string; data: Record<string, unknown> },
): Promise<void> {
  await addRunEvents(
    connection,
    runs.map((run) => ({ runId: run.id, type: 'edited', ...event(run) })),
  );
  await sendNotifications(connection, runNotifications(runs));
}

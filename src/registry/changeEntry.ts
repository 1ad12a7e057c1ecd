import { WarrenError } from '#src/base/contracts/errors.ts';
import type { RegistryType } from '#src/base/contracts/registry.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import {
  type EntryRecord,
  findEntryByName,
  insertEntry,
  removeEntry,
  updateEntry,
} from '#src/registry/store/entryRecord.ts';
import { listWaitingTakers } from '#src/registry/store/versionUse.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { requireLockedEntry } from './findVersion.ts';
import { tellEntryMade, tellEntryTags } from './registryEvents.ts';
import { changedTags, checkedDescription, checkedEntryName, type TagChange } from './registryNames.ts';
import { refuseUnlessAllSeen, unlessNameTaken } from './sharedEntries.ts';

type Context = Pick<ServiceContext, 'db'>;

export interface CreateEntryInput {
  type: RegistryType;
  name: string;
  description?: string | null | undefined;
  tags?: readonly { key: string; value: string }[] | null | undefined;
}

/** Makes a model or dataset without versions. @throws WarrenError BAD_INPUT, CONFLICT for a name that is taken. */
export async function createEntry(context: Context, input: CreateEntryInput): Promise<EntryRecord> {
  const name = checkedEntryName(input.name, 'name');
  const description = checkedDescription(input.description ?? '');
  const tags = changedTags({}, input.tags ?? []);
  const entry = await inTransaction(context.db, async (connection) => {
    const made = await insertEntry(connection, { type: input.type, name, description, tags });
    if (made !== null) await tellEntryMade(connection, made);
    return made;
  });
  if (entry === null) throw taken(name);
  return entry;
}

export interface UpdateEntryInput {
  name: string;
  /** Null: it keeps its name. */
  newName?: string | null | undefined;
  /** Null: it stays. */
  description?: string | null | undefined;
  tags?: readonly TagChange[] | null | undefined;
}

/** Renames or describes an entry, or changes its tags. @throws WarrenError NOT_FOUND, BAD_INPUT, CONFLICT. */
export async function changeEntry(context: Context, input: UpdateEntryInput): Promise<EntryRecord> {
  const newName = input.newName == null ? undefined : checkedEntryName(input.newName, 'newName');
  const description = input.description == null ? undefined : checkedDescription(input.description);
  const change = inTransaction(context.db, async (connection) => {
    const entry = await requireLockedEntry(connection, input.name);
    if (newName !== undefined && newName !== entry.name) await refuseUnlessAllSeen(connection, entry, 'renamed');
    if (newName !== undefined && newName !== entry.name && (await findEntryByName(connection, newName)) !== null) {
      throw taken(newName);
    }
    const changed = await updateEntry(connection, entry.id, {
      ...(newName !== undefined && { name: newName }),
      ...(description !== undefined && { description }),
      ...(input.tags != null && { tags: changedTags(entry.tags, input.tags) }),
    });
    if (input.tags != null) await tellEntryTags(connection, changed ?? entry, input.tags);
    return changed ?? entry;
  });
  return await unlessNameTaken(change, taken(newName ?? input.name));
}

/** Deletes an entry with its versions; answers what it was. @throws WarrenError NOT_FOUND, CONFLICT while runs need it. */
export async function deleteEntry(context: Context, name: string): Promise<EntryRecord> {
  return await inTransaction(context.db, async (connection) => {
    const entry = await requireLockedEntry(connection, name);
    await refuseUnlessAllSeen(connection, entry, 'deleted');
    await refuseWhileTaken(connection, { entryId: entry.id }, entry.name);
    await removeEntry(connection, entry.id);
    return entry;
  });
}

/** @throws WarrenError CONFLICT where runs that have not ended need files of it. */
export async function refuseWhileTaken(
  connection: Connection,
  of: Parameters<typeof listWaitingTakers>[1],
  what: string,
): Promise<void> {
  const numbers = await listWaitingTakers(connection, of);
  if (numbers.length === 0) return;
  const runs = numbers.map((number) => (number === null ? 'of another project' : `#${number}`)).join(', ');
  throw new WarrenError('CONFLICT', `${what} is an input of runs that have not ended (${runs}): wait, or cancel them`);
}

function taken(name: string): WarrenError {
  return new WarrenError('CONFLICT', `"${name}" is registered already; choose another name`, { path: 'name' });
}

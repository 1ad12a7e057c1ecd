import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { isPrompt, LATEST } from '#src/base/contracts/registry.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import {
  type EntryRecord,
  findEntryByName,
  insertEntry,
  lockEntry,
  removeEntry,
  updateEntry,
} from '#src/registry/store/entryRecord.ts';
import { removeAlias } from '#src/registry/store/versionAlias.ts';
import { findVersion, type VersionRecord } from '#src/registry/store/versionRecord.ts';
import { refuseWhileTaken } from '#src/registry/changeEntry.ts';
import { tellAliases, tellAliasGone, tellEntryMade, tellEntryTags } from '#src/registry/registryEvents.ts';
import { pointAliases, refuseUnlessAllSeen, unlessNameTaken } from '#src/registry/sharedEntries.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

// Registered models in MLflow's words: mlflow/store/model_registry/sqlalchemy_store.py.

type Context = Pick<ServiceContext, 'db'>;

const LONGEST_NAME = 256;
const LONGEST_ALIAS = 255;
const MOST_TAGS = 1_000;
const LARGEST_NUMBER = 2_147_483_647;

/** @throws WarrenError BAD_INPUT. */
export function checkModelName(name: string): string {
  if (name.trim() === '') throw badInput("Missing value for required parameter 'name'.", 'name');
  if (/[/:]/.test(name)) {
    throw badInput(`Invalid model name '${name}'. Names cannot contain '/' or ':'.`, 'name');
  }
  if (name === '.' || name === '..') throw badInput(`Invalid model name '${name}'.`, 'name');
  if (name.length > LONGEST_NAME) throw badInput(`'name' exceeds the maximum length of ${LONGEST_NAME} characters`);
  return name;
}

function noModel(name: string): WarrenError {
  return new WarrenError('NOT_FOUND', `Registered Model with name=${name} not found`);
}

/** The registered model of this name. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function requireModel(connection: Connection, name: string): Promise<EntryRecord> {
  const entry = await findEntryByName(connection, checkModelName(name));
  if (entry === null || entry.type !== 'model') throw noModel(name);
  return entry;
}

/** As `requireModel`, locked until the transaction ends. */
export async function lockModel(connection: Connection, name: string): Promise<EntryRecord> {
  const entry = await lockEntry(connection, checkModelName(name));
  if (entry === null || entry.type !== 'model') throw noModel(name);
  return entry;
}

/** A version of a model by its number as clients write it. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function requireModelVersion(
  connection: Connection,
  name: string,
  version: string,
): Promise<VersionRecord> {
  checkModelName(name);
  if (!/^\s*[+-]?\d+\s*$/.test(version)) {
    throw badInput(`Parameter 'version' must be an integer, got '${version}'.`, 'version');
  }
  const number = Number(version);
  const entry = await findEntryByName(connection, name);
  const isModel = entry?.type === 'model' && Math.abs(number) <= LARGEST_NUMBER;
  const found = isModel ? await findVersion(connection, name, { number }) : null;
  if (found === null) throw new WarrenError('NOT_FOUND', `Model Version (name=${name}, version=${version}) not found`);
  return found;
}

/** @throws WarrenError BAD_INPUT, CONFLICT with the path `name` where it is taken. */
export async function createModel(
  { db }: Context,
  input: { name: string; description: string; tags: Readonly<Record<string, string>> },
): Promise<EntryRecord> {
  const name = checkModelName(input.name);
  const { description, tags } = input;
  const entry = await inTransaction(db, async (connection) => {
    const made = await insertEntry(connection, { type: 'model', name, description, tags: { ...tags } });
    if (made !== null) await tellEntryMade(connection, made);
    return made;
  });
  if (entry !== null) return entry;
  const existing = await findEntryByName(db, name);
  const [was, wanted] = [existing?.tags ?? {}, tags].map((each) => (isPrompt(each) ? 'Prompt' : 'Registered Model'));
  if (was === wanted) throw taken(`${was} (name=${name}) already exists.`);
  throw taken(
    `Tried to create a ${wanted?.toLowerCase()} with name '${name}', but the name is already taken by a ${was?.toLowerCase()}. MLflow does not allow creating a model and a prompt with the same name.`,
  );
}

function taken(message: string): WarrenError {
  return new WarrenError('CONFLICT', message, { path: 'name' });
}

/** Renames a model, or describes it. @throws WarrenError BAD_INPUT, NOT_FOUND, CONFLICT. */
export async function changeModel(
  context: Context,
  name: string,
  change: { newName?: string; description?: string },
): Promise<EntryRecord> {
  const { newName, description } = change;
  if (newName !== undefined) checkModelName(newName);
  const renamed = inTransaction(context.db, async (connection) => {
    const entry = await lockModel(connection, name);
    if (newName !== undefined && newName !== name) await refuseUnlessAllSeen(connection, entry, 'renamed');
    if (newName !== undefined && newName !== name && (await findEntryByName(connection, newName)) !== null) {
      throw taken(`Registered Model (name=${newName}) already exists.`);
    }
    const changed = await updateEntry(connection, entry.id, {
      ...(newName !== undefined && { name: newName }),
      ...(description !== undefined && { description }),
    });
    return changed ?? entry;
  });
  return await unlessNameTaken(renamed, taken(`Registered Model (name=${newName ?? name}) already exists.`));
}

/**
 * As `refuseWhileTaken`, with a code that MLflow's clients do not try again for minutes.
 * @throws WarrenError BAD_INPUT.
 */
export async function refuseInUse(...[connection, of, what]: Parameters<typeof refuseWhileTaken>): Promise<void> {
  await refuseWhileTaken(connection, of, what).catch((error: unknown) => {
    throw error instanceof WarrenError && error.code === 'CONFLICT' ? badInput(error.message) : error;
  });
}

/** @throws WarrenError NOT_FOUND, BAD_INPUT while queued runs need a version of it. */
export async function deleteModel(context: Context, name: string): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    const entry = await lockModel(connection, name);
    await refuseUnlessAllSeen(connection, entry, 'deleted');
    await refuseInUse(connection, { entryId: entry.id }, entry.name);
    await removeEntry(connection, entry.id);
  });
}

/** Tags with one more, or (null) without it. @throws WarrenError BAD_INPUT for too many. */
export function withTag(
  tags: Readonly<Record<string, string>>,
  { key, value }: { key: string; value: string | null },
): Record<string, string> {
  const { [key]: _, ...others } = tags;
  if (value === null) return others;
  if (Object.keys(others).length >= MOST_TAGS) throw badInput(`at most ${MOST_TAGS} tags`, 'key');
  return { ...others, [key]: value };
}

/** Sets a tag of a model, or (null) removes it. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function setModelTag(
  context: Context,
  name: string,
  tag: { key: string; value: string | null },
): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    const entry = await lockModel(connection, name);
    await updateEntry(connection, entry.id, { tags: withTag(entry.tags, tag) });
    await tellEntryTags(connection, entry, [tag]);
  });
}

/** @throws WarrenError BAD_INPUT. */
function checkAlias(alias: string): string {
  if (alias === '') throw badInput('Registered model alias name cannot be empty.', 'alias');
  if (!/^[\p{L}\p{N}_-]*$/u.test(alias)) {
    const allowed = 'Names may only contain alphanumerics, underscores (_), and dashes (-).';
    throw badInput(`Invalid alias name: '${alias}'. ${allowed}`, 'alias');
  }
  if (alias.length > LONGEST_ALIAS) {
    throw badInput(`'Registered model alias name' exceeds the maximum length of ${LONGEST_ALIAS} characters`, 'alias');
  }
  return alias;
}

/** Points an alias to a version. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function setModelAlias(
  context: Context,
  { name, alias, version }: { name: string; alias: string; version: string },
): Promise<void> {
  checkModelName(name);
  checkAlias(alias);
  if (alias.toLowerCase() === LATEST) throw badInput("'latest' alias name (case insensitive) is reserved.", 'alias');
  if (/^v\d+$/i.test(alias)) throw badInput(`Version alias name '${alias}' is reserved.`, 'alias');
  await inTransaction(context.db, async (connection) => {
    const entry = await lockEntry(connection, name);
    const found = await requireModelVersion(connection, name, version);
    await pointAliases(connection, found, [alias]);
    if (entry !== null) await tellAliases(connection, { entry, version: found, aliases: [alias] });
  });
}

/** Takes an alias away; one that is not there is no error. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function deleteModelAlias(context: Context, name: string, alias: string): Promise<void> {
  checkAlias(alias);
  await inTransaction(context.db, async (connection) => {
    const entry = await lockModel(connection, name);
    await removeAlias(connection, entry.id, alias);
    // also of one that was not there, as MLflow's server does
    await tellAliasGone(connection, entry, alias);
  });
}

/** The version that an alias points to; `latest` is the newest. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function versionOfAlias({ db }: Context, name: string, alias: string): Promise<VersionRecord> {
  checkAlias(alias);
  const { name: known } = await requireModel(db, name);
  if (alias.toLowerCase() === LATEST) {
    const newest = await findVersion(db, known, { newest: true });
    if (newest !== null) return newest;
    throw new WarrenError('NOT_FOUND', `Latest version not found for model ${name}.`);
  }
  const version = await findVersion(db, known, { alias });
  if (version === null) throw badInput(`Registered model alias ${alias} not found.`, 'alias');
  return version;
}

import { createHash } from 'node:crypto';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { REGISTRY_TYPES, type RegistryType } from '#src/base/contracts/registry.ts';
import { keepArtifactFiles } from '#src/artifacts/store/artifactLock.ts';
import { type ArtifactRecord, listArtifacts } from '#src/artifacts/store/artifactRecord.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import { type EntryRecord, insertEntry, lockEntry } from '#src/registry/store/entryRecord.ts';
import {
  findSameVersion,
  insertVersion,
  type NewVersion,
  updateVersion,
  type VersionRecord,
} from '#src/registry/store/versionRecord.ts';
import { insertVersionFiles, type NewVersionFile } from '#src/registry/store/versionFile.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { changedTags, checkedAliases, checkedDescription, checkedEntryName, type TagChange } from './registryNames.ts';
import { tellAliases, tellEntryMade, tellVersionMade, tellVersionTags } from './registryEvents.ts';
import { pointAliases } from './sharedEntries.ts';

export interface RegisterVersionInput {
  /** Name of the model or dataset; it is made when there is none. */
  name: string;
  /** What it is, where it is made; default `model`. */
  type?: RegistryType | null | undefined;
  /** Id or number of the run that made the artifact. */
  runId: string;
  /** The artifact, or the folder of artifacts; null where the run left one file alone. */
  artifactName?: string | null | undefined;
  description?: string | null | undefined;
  aliases?: readonly string[] | null | undefined;
  tags?: readonly { key: string; value: string }[] | null | undefined;
}

/** Files of one version. */
const MOST_FILES = 10_000;

/**
 * Registers files of a run as the next version of a model or dataset. The files stay as they are now, whatever becomes of
 * the run's own; the run itself stays in the trash as long as the version is there. The same files of the same run are one
 * version: registered again it gets the aliases, the tags and the description, so that a request whose answer was lost can be sent again.
 * @throws WarrenError NOT_FOUND for an unknown run or artifact, BAD_INPUT, CONFLICT where the name is of another type.
 */
export async function registerVersion(
  context: Pick<ServiceContext, 'db'>,
  input: RegisterVersionInput,
): Promise<VersionRecord> {
  const name = checkedEntryName(input.name, 'name');
  const type = checkedType(input.type);
  const aliases = checkedAliases(input.aliases ?? [], 'aliases');
  const description = checkedDescription(input.description ?? '');
  const tags = changedTags({}, (input.tags ?? []) satisfies readonly TagChange[]);
  const run = await requireRun(context, input.runId, 'runId');
  const wanted = input.artifactName == null ? null : checkedName(input.artifactName, 'artifactName');
  return await inTransaction(context.db, async (connection) => {
    const { artifactName, files } = await filesOf(connection, run, wanted);
    const entry = await entryOf(connection, { name, type, projectId: run.projectId });
    const sha256 = digestOf(files);
    const same =
      sha256 === null ? null : await findSameVersion(connection, entry.id, { runId: run.id, artifactName, sha256 });
    if (same !== null) {
      await pointAliases(connection, same, aliases);
      await tellAliases(connection, { entry, version: same, aliases });
      const described = await updateVersion(connection, same.id, {
        ...(description !== '' && { description }),
        tags: changedTags(same.tags, input.tags ?? []),
      });
      await tellVersionTags(connection, { entry, version: same, changes: input.tags ?? [] });
      return { ...(described ?? same), aliases: [...new Set([...same.aliases, ...aliases])].toSorted() };
    }
    const facts = { source: '', runLink: null, loggedModelId: null, userName: null };
    const given = { runId: run.id, artifactName, description, tags, ...facts };
    return await addVersion(connection, { entry, version: given, files, aliases, run });
  });
}

function checkedType(type: RegistryType | null | undefined): RegistryType | null {
  if (type == null || REGISTRY_TYPES.includes(type)) return type ?? null;
  throw badInput(`type: expected ${REGISTRY_TYPES.join(' or ')}, received "${String(type)}"`, 'type');
}

/** The entry of this name, locked; made when there is none. */
async function entryOf(
  connection: Connection,
  { name, type, projectId }: { name: string; type: RegistryType | null; projectId: string },
): Promise<EntryRecord> {
  const made = await insertEntry(connection, { name, type: type ?? 'model', description: '', tags: {}, projectId });
  if (made !== null) await tellEntryMade(connection, made);
  const entry = await lockEntry(connection, name);
  if (entry === null) {
    const message = `"${name}" is registered in a project that you do not see, or was deleted at this moment: choose another name`;
    throw new WarrenError('CONFLICT', message, { path: 'name' });
  }
  if (made === null && type !== null && entry.type !== type) {
    throw new WarrenError('CONFLICT', `"${name}" is registered as a ${entry.type}; choose another name`, {
      path: 'name',
    });
  }
  return entry;
}

export type RegisteredFiles = NewVersionFile[];

/** Makes the next version of a locked entry, with its files and aliases. */
export async function addVersion(
  connection: Connection,
  added: {
    entry: EntryRecord;
    version: Omit<NewVersion, 'sha256'>;
    files: RegisteredFiles;
    aliases: readonly string[];
    run: Pick<RunRecord, 'id' | 'projectId'> | null;
  },
): Promise<VersionRecord> {
  const { entry, version, files, aliases, run } = added;
  const inserted = await insertVersion(connection, entry.id, { ...version, sha256: digestOf(files) });
  await insertVersionFiles(connection, inserted.id, files);
  await pointAliases(connection, inserted, aliases);
  await tellVersionMade(connection, entry, inserted);
  await tellAliases(connection, { entry, version: inserted, aliases });
  if (run !== null) await sendNotifications(connection, runNotifications([run]));
  return { ...inserted, aliases: aliases.toSorted() };
}

/** The sha256 of the only file, or of the lines `sha256  path` of several in the order of their paths. */
function digestOf(files: RegisteredFiles): string | null {
  const [only] = files;
  if (only === undefined) return null;
  if (files.length === 1) return only.sha256;
  const byPath = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const lines = byPath.map(({ sha256, path }) => `${sha256}  ${path}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/** What of a run's artifacts a name means: one of them, or those in a folder; until the transaction ends they stay. */
async function filesOf(
  connection: Connection,
  run: RunRecord,
  wanted: string | null,
): Promise<{ artifactName: string; files: RegisteredFiles }> {
  await keepArtifactFiles(connection);
  const artifacts = await listArtifacts(connection, [run.id]);
  if (wanted === null) {
    const outputs = artifacts.filter(({ role }) => role === 'output');
    const [only] = outputs;
    if (only === undefined) throw noArtifact(run, 'none', []);
    if (outputs.length > 1) throw badInput(`artifactName: say which: ${leftBy(run, outputs)}`, 'artifactName');
    return { artifactName: only.name, files: registeredFiles(outputs, only.name) };
  }
  const name = wanted.replace(/\/+$/, '');
  const files = registeredFiles(artifacts, name);
  if (files.length === 0) throw noArtifact(run, wanted, artifacts);
  if (files.length > MOST_FILES) {
    throw badInput(`artifactName: "${name}" has ${files.length} files; a version has at most ${MOST_FILES}`);
  }
  return { artifactName: name, files };
}

/** The artifact of this name, or those in the folder of this name, with their paths in it. */
export function registeredFiles(artifacts: readonly ArtifactRecord[], name: string): RegisteredFiles {
  return artifacts.flatMap((artifact) => {
    const inside = name === '' || artifact.name.startsWith(`${name}/`);
    if (artifact.name !== name && !inside) return [];
    const path = inside ? artifact.name.slice(name === '' ? 0 : name.length + 1) : (name.split('/').at(-1) ?? name);
    const { sha256, sizeBytes, mediaType } = artifact;
    return [{ path, artifactName: artifact.name, sha256, sizeBytes, mediaType }];
  });
}

function noArtifact(run: RunRecord, wanted: string, artifacts: readonly ArtifactRecord[]): WarrenError {
  const left = artifacts.length === 0 ? `run ${run.number} left no file` : leftBy(run, artifacts);
  const message = wanted === 'none' ? left : `run ${run.number} has no artifact or folder "${wanted}": ${left}`;
  return new WarrenError('NOT_FOUND', message, { path: 'artifactName' });
}

function leftBy(run: RunRecord, artifacts: readonly ArtifactRecord[]): string {
  const shown = artifacts.slice(0, 8).map(({ name }) => name);
  return `run ${run.number} left ${shown.join(', ')}${artifacts.length > shown.length ? ' and more' : ''}`;
}

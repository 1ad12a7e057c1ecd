import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { LATEST, parseVersionReference } from '#src/base/contracts/registry.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { type EntryRecord, findEntryByName, listEntries, lockEntry } from '#src/registry/store/entryRecord.ts';
import { findVersion, type VersionRecord, type WhichVersion } from '#src/registry/store/versionRecord.ts';
import { listAliases } from '#src/registry/store/versionAlias.ts';
import { listVersionFiles, type VersionFile } from '#src/registry/store/versionFile.ts';

const NAMES_LOOKED_AT = 500;
const FILES_LOOKED_AT = 100_000;
const FORMS = 'NAME@ALIAS, NAME:VERSION or NAME:latest, such as ranker@production or ranker:3';

/** The entry of this name. @throws WarrenError NOT_FOUND that says what may have been meant. */
export async function requireEntry(connection: Connection, name: string, path = 'name'): Promise<EntryRecord> {
  const entry = await findEntryByName(connection, name.trim());
  if (entry !== null) return entry;
  throw await noEntry(connection, name, path);
}

/** As `requireEntry`, locked until the transaction ends. */
export async function requireLockedEntry(connection: Connection, name: string, path = 'name'): Promise<EntryRecord> {
  const entry = await lockEntry(connection, name.trim());
  if (entry !== null) return entry;
  throw await noEntry(connection, name, path);
}

async function noEntry(connection: Connection, name: string, path: string): Promise<WarrenError> {
  const all = { type: null, search: null, tags: {}, projectId: null, afterName: null, first: NAMES_LOOKED_AT };
  const known = (await listEntries(connection, all)).map((entry) => entry.name);
  const message = `no model or dataset is registered as "${name.slice(0, 100)}".${didYouMean(name, known)}`;
  return new WarrenError('NOT_FOUND', message, { path });
}

export interface FoundVersion {
  version: VersionRecord;
  /** The file in it that the reference names; null: all. */
  file: string | null;
}

/** The version that a reference names. @throws WarrenError BAD_INPUT where it is none, NOT_FOUND. */
export async function requireVersion(
  connection: Connection,
  reference: string,
  path = 'version',
): Promise<FoundVersion> {
  const parsed = parseVersionReference(reference.trim());
  if (parsed === null) throw badInput(`${path}: expected ${FORMS}, received "${reference.slice(0, 200)}"`, path);
  const { name, version: which, file } = parsed;
  const newest = 'alias' in which && which.alias.toLowerCase() === LATEST;
  const asked: WhichVersion = newest ? { newest: true } : which;
  const version = await findVersion(connection, name, asked);
  if (version !== null) return { version, file };
  const entry = await requireEntry(connection, name, path);
  if (newest) throw new WarrenError('NOT_FOUND', `${entry.name} has no version yet`, { path });
  if ('number' in which) {
    throw new WarrenError('NOT_FOUND', `${entry.name} has no version ${which.number}`, { path });
  }
  const aliases = (await listAliases(connection, [entry.id])).map((alias) => alias.name);
  const hint = aliases.length === 0 ? 'it has none' : `it has ${aliases.slice(0, 10).join(', ')}`;
  throw new WarrenError('NOT_FOUND', `${entry.name} has no alias "${which.alias}": ${hint}`, { path });
}

/** A file of a version, of which the run that made it is there. */
export type SourcedFile = VersionFile & { runId: string };

/**
 * The files that a reference means: the one that it names, or all of its version; `isFile` where that is one file alone, which
 * was not registered as a folder.
 * @throws WarrenError NOT_FOUND where there is none.
 */
export async function requireVersionFiles(
  connection: Connection,
  reference: string,
  path = 'version',
): Promise<{ version: VersionRecord; files: SourcedFile[]; isFile: boolean }> {
  const { version, file: wanted } = await requireVersion(connection, reference, path);
  const all = await listVersionFiles(connection, [version.id], FILES_LOOKED_AT);
  const named = `${version.name}:${version.number}`;
  const files = wanted === null ? all : all.filter((file) => file.path === wanted);
  if (files.length === 0) {
    const what = wanted === null ? 'it was registered from elsewhere' : `no file "${wanted}"`;
    throw new WarrenError('NOT_FOUND', `${named} has no file here: ${what}${shownPaths(all)}`, { path });
  }
  const sourced = files.map((file) => {
    const { runId } = file;
    if (runId === null) throw new WarrenError('NOT_FOUND', `the run that made ${named} is gone`, { path });
    return { ...file, runId };
  });
  const isFile = wanted !== null || (files.length === 1 && files[0]?.artifactName === version.artifactName);
  return { version, files: sourced, isFile };
}

/**
 * The one file that a reference means: the one that it names, or the only one of its version.
 * @throws WarrenError BAD_INPUT where the version has another number of files, NOT_FOUND.
 */
export async function requireVersionFile(
  connection: Connection,
  reference: string,
  path = 'version',
): Promise<{ version: VersionRecord; file: SourcedFile }> {
  const { version, files } = await requireVersionFiles(connection, reference, path);
  const [only] = files;
  invariant(only !== undefined, 'a version without files was refused');
  if (files.length === 1) return { version, file: only };
  const named = `${version.name}:${version.number}`;
  throw badInput(`${path}: ${named} has ${files.length} files: say which, as ${named}/${only.path}`, path);
}

function shownPaths(files: readonly VersionFile[]): string {
  if (files.length === 0) return '';
  const shown = files.slice(0, 5).map((file) => file.path);
  return `; it has ${shown.join(', ')}${files.length > shown.length ? ' and more' : ''}`;
}

import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { REGISTRY_STAGES, type RegistryStage } from '#src/base/contracts/registry.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { type EntryRecord, updateEntry } from '#src/registry/store/entryRecord.ts';
import { removeVersion, updateVersion, type VersionRecord } from '#src/registry/store/versionRecord.ts';
import { removeAlias } from '#src/registry/store/versionAlias.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { refuseWhileTaken } from './changeEntry.ts';
import { requireLockedEntry, requireVersion } from './findVersion.ts';
import { tellAliases, tellAliasGone, tellVersionTags } from './registryEvents.ts';
import { pointAliases } from './sharedEntries.ts';
import { changedTags, checkedAlias, checkedDescription, type TagChange } from './registryNames.ts';

type Context = Pick<ServiceContext, 'db'>;

/** Runs `change` with a version whose entry is locked, so that a reference names the same one to the end. */
async function withVersion<Result>(
  { db }: Context,
  reference: string,
  change: (connection: Connection, version: VersionRecord, entry: EntryRecord) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(db, async (connection) => {
    const { version } = await requireVersion(connection, reference);
    const entry = await requireLockedEntry(connection, version.name);
    const found = await requireVersion(connection, `${version.name}:${version.number}`);
    return await change(connection, found.version, entry);
  });
}

export interface UpdateVersionInput {
  /** `NAME:VERSION` or `NAME@ALIAS`. */
  version: string;
  /** Null: it stays. */
  description?: string | null | undefined;
  tags?: readonly TagChange[] | null | undefined;
  stage?: RegistryStage | null | undefined;
}

/** Describes a version, or changes its tags or stage. @throws WarrenError NOT_FOUND, BAD_INPUT. */
export async function changeVersion(context: Context, input: UpdateVersionInput): Promise<VersionRecord> {
  const description = input.description == null ? undefined : checkedDescription(input.description);
  const { stage } = input;
  if (stage != null && !REGISTRY_STAGES.includes(stage)) {
    throw badInput(`stage: expected ${REGISTRY_STAGES.join(', ')}, received "${String(stage)}"`, 'stage');
  }
  return await withVersion(context, input.version, async (connection, version, entry) => {
    const changed = await updateVersion(connection, version.id, {
      ...(description !== undefined && { description }),
      ...(input.tags != null && { tags: changedTags(version.tags, input.tags) }),
      ...(stage != null && { stage }),
    });
    if (input.tags != null) await tellVersionTags(connection, { entry, version, changes: input.tags });
    return changed ?? version;
  });
}

/** Deletes a version; answers what it was. @throws WarrenError NOT_FOUND, CONFLICT while runs need it. */
export async function deleteVersion(context: Context, reference: string): Promise<VersionRecord> {
  return await withVersion(context, reference, async (connection, version) => {
    await refuseWhileTaken(connection, { versionId: version.id }, `${version.name}:${version.number}`);
    await removeVersion(connection, version.id);
    return version;
  });
}

/** Points an alias to a version, away from where it pointed. @throws WarrenError NOT_FOUND, BAD_INPUT. */
export async function setAlias(context: Context, input: { version: string; alias: string }): Promise<VersionRecord> {
  const alias = checkedAlias(input.alias, 'alias');
  return await withVersion(context, input.version, async (connection, version, entry) => {
    await pointAliases(connection, version, [alias]);
    await tellAliases(connection, { entry, version, aliases: [alias] });
    await updateEntry(connection, version.entryId, {});
    return { ...version, aliases: [...new Set([...version.aliases, alias])].toSorted() };
  });
}

/** Takes an alias away. @throws WarrenError NOT_FOUND where there is none of that name. */
export async function deleteAlias(context: Context, input: { name: string; alias: string }): Promise<EntryRecord> {
  return await inTransaction(context.db, async (connection) => {
    const entry = await requireLockedEntry(connection, input.name);
    if (!(await removeAlias(connection, entry.id, input.alias.trim()))) {
      throw new WarrenError('NOT_FOUND', `${entry.name} has no alias "${input.alias.slice(0, 100)}"`, {
        path: 'alias',
      });
    }
    await tellAliasGone(connection, entry, input.alias.trim());
    return (await updateEntry(connection, entry.id, {})) ?? entry;
  });
}

import DataLoader from 'dataloader';
import { invariant } from '#src/base/lib/invariant.ts';
import type { Database } from '#src/base/platform/postgres/database.ts';
import { type EntryRecord, findEntries } from '#src/registry/store/entryRecord.ts';
import { type AliasRecord, listAliases } from '#src/registry/store/versionAlias.ts';
import {
  listVersionFiles,
  listVersionTotals,
  type VersionFile,
  type VersionTotals,
} from '#src/registry/store/versionFile.ts';
import { listVersions, listVersionsOfRuns, type VersionRecord } from '#src/registry/store/versionRecord.ts';
import {
  type InputVersion,
  listInputVersions,
  listTakers,
  listUsedVersions,
  type UsedVersion,
  type VersionTaker,
} from '#src/registry/store/versionUse.ts';
import { type AnswerBudget, registryBytes } from '#src/base/graphql/answerBudget.ts';
import { groupLoader, groupLoaderWith } from '#src/base/graphql/groupLoader.ts';

/** Which versions of an entry are asked for. */
export interface VersionPage {
  before: number | null;
  first: number;
}

/** As `Loaders`, for registered models and datasets. */
export interface RegistryLoaders {
  entry: DataLoader<string, EntryRecord>;
  aliases: DataLoader<string, AliasRecord[]>;
  versions: { load(entryId: string, page: VersionPage): Promise<VersionRecord[]> };
  totals: DataLoader<string, VersionTotals[]>;
  files: { load(versionId: string, first: number): Promise<VersionFile[]> };
  /** The runs that took a version. */
  takers: { load(versionId: string, first: number): Promise<VersionTaker[]> };
  /** The versions that a run made. */
  made: DataLoader<string, VersionRecord[]>;
  /** The versions that a run took. */
  used: DataLoader<string, UsedVersion[]>;
  /** The versions whose files are inputs of a run. */
  inputs: DataLoader<string, InputVersion[]>;
}

export function createRegistryLoaders(db: Database, budget: AnswerBudget): RegistryLoaders {
  const counted = <Row extends VersionRecord>(list: () => Promise<Row[]>): Promise<Row[]> =>
    budget.readWithin(async () => {
      const versions = await list();
      return { result: versions, bytes: registryBytes(versions) };
    });
  return {
    entry: new DataLoader(async (ids) => {
      const entries = new Map((await findEntries(db, ids)).map((entry) => [entry.id, entry]));
      return ids.map((id) => {
        const entry = entries.get(id);
        invariant(entry !== undefined, `entry ${id} of a version is gone`);
        return entry;
      });
    }),
    aliases: groupLoader(
      ({ entryId }) => entryId,
      (ids) => listAliases(db, ids),
    ),
    versions: groupLoaderWith(
      ({ entryId }) => entryId,
      (ids, page: VersionPage) => counted(() => listVersions(db, ids, page)),
    ),
    totals: groupLoader(
      ({ versionId }) => versionId,
      (ids) => listVersionTotals(db, ids),
    ),
    files: groupLoaderWith(
      ({ versionId }) => versionId,
      (ids, first: number) => listVersionFiles(db, ids, first),
    ),
    takers: groupLoaderWith(
      ({ versionId }) => versionId,
      (ids, first: number) => listTakers(db, ids, first),
    ),
    made: groupLoader(
      ({ runId }) => runId ?? '',
      (ids) => counted(() => listVersionsOfRuns(db, ids)),
    ),
    used: groupLoader(
      ({ takerId }) => takerId,
      (ids) => counted(() => listUsedVersions(db, ids)),
    ),
    inputs: groupLoader(
      ({ runId }) => runId,
      (ids) => listInputVersions(db, ids),
    ),
  };
}

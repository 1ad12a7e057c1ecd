import type { Connection } from '#src/base/database/connection.ts';
import { listNewestOfStages } from '#src/mlflow/store/searchRegistry.ts';
import { findTrackedRuns, type TrackedRun } from '#src/mlflow/store/trackedRun.ts';
import type { EntryRecord } from '#src/registry/store/entryRecord.ts';
import { listAliases } from '#src/registry/store/versionAlias.ts';
import type { VersionRecord } from '#src/registry/store/versionRecord.ts';
import { mlflowRunId } from '#src/mlflow/trackedRuns.ts';
import { artifactUri } from './answers.ts';

const STATUS = { READY: 'READY', PENDING: 'PENDING_REGISTRATION', FAILED: 'FAILED_REGISTRATION' } as const;

function tagList(tags: Readonly<Record<string, string>>): { tags?: { key: string; value: string }[] } {
  const pairs = Object.entries(tags).map(([key, value]) => ({ key, value }));
  return pairs.length === 0 ? {} : { tags: pairs };
}

/** Where the files of a version are, for clients; null where its run is not known. */
function placeOf({ artifactName }: VersionRecord, run: TrackedRun | undefined): string | null {
  if (run === undefined || artifactName === null) return null;
  return artifactName === '' ? artifactUri(run) : `${artifactUri(run)}/${artifactName}`;
}

/** Where a client downloads a version. */
export async function downloadUri(connection: Connection, version: VersionRecord): Promise<string> {
  const [run] = version.runId === null ? [] : await findTrackedRuns(connection, [version.runId]);
  const isPlace = version.source !== '' && !version.source.startsWith('models:');
  return isPlace ? version.source : (placeOf(version, run) ?? version.source);
}

/** Versions in MLflow's form, in the order given. */
export async function versionAnswers(
  connection: Connection,
  versions: readonly VersionRecord[],
): Promise<Record<string, unknown>[]> {
  // only what Warren registered itself needs its run, for its place
  const ids = versions.flatMap(({ source, runId }) => (source === '' && runId !== null ? [runId] : []));
  const runs = new Map((await findTrackedRuns(connection, [...new Set(ids)])).map((run) => [run.id, run]));
  return versions.map((version) => {
    const { name, number, description, stage, source, runId, runLink, state, userName, tags, aliases } = version;
    return {
      ...{ name, version: String(number) },
      creation_timestamp: version.createdAt.getTime(),
      last_updated_timestamp: version.updatedAt.getTime(),
      ...(userName === null ? {} : { user_id: userName }),
      current_stage: stage,
      description,
      source: source === '' ? (placeOf(version, runs.get(runId ?? '')) ?? '') : source,
      run_id: runId === null ? '' : mlflowRunId(runId),
      status: STATUS[state],
      ...tagList(tags),
      run_link: runLink ?? '',
      ...(aliases.length === 0 ? {} : { aliases }),
    };
  });
}

/** A version in MLflow's form. */
export async function versionAnswer(connection: Connection, version: VersionRecord): Promise<unknown> {
  return { model_version: (await versionAnswers(connection, [version]))[0] };
}

/** Registered models in MLflow's form, in the order given. */
export async function modelAnswers(
  connection: Connection,
  entries: readonly EntryRecord[],
): Promise<Record<string, unknown>[]> {
  const ids = entries.map(({ id }) => id);
  const [newest, aliases] = await Promise.all([listNewestOfStages(connection, ids), listAliases(connection, ids)]);
  const answers = await versionAnswers(connection, newest);
  return entries.map(({ id, name, description, tags, createdAt, updatedAt }) => {
    const latest = answers.filter((_, index) => newest[index]?.entryId === id);
    const own = aliases.filter(({ entryId }) => entryId === id);
    return {
      name,
      creation_timestamp: createdAt.getTime(),
      last_updated_timestamp: updatedAt.getTime(),
      // of a version MLflow tells an empty one, too
      ...(description === '' ? {} : { description }),
      ...(latest.length === 0 ? {} : { latest_versions: latest }),
      ...tagList(tags),
      ...(own.length === 0
        ? {}
        : { aliases: own.map(({ name: alias, number }) => ({ alias, version: String(number) })) }),
    };
  });
}

/** A registered model in MLflow's form. */
export async function modelAnswer(connection: Connection, entry: EntryRecord): Promise<unknown> {
  return { registered_model: (await modelAnswers(connection, [entry]))[0] };
}

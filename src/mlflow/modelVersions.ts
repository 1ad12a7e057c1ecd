import { badInput } from '#src/base/contracts/errors.ts';
import { isPrompt, REGISTRY_STAGES, type RegistryStage } from '#src/base/contracts/registry.ts';
import { keepArtifactFiles } from '#src/artifacts/store/artifactLock.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { archiveOthers } from '#src/mlflow/store/searchRegistry.ts';
import { type EntryRecord, updateEntry } from '#src/registry/store/entryRecord.ts';
import { removeVersion, updateVersion, type VersionRecord } from '#src/registry/store/versionRecord.ts';
import { findRunsById } from '#src/runs/store/runRecord.ts';
import { addVersion } from '#src/registry/registerVersion.ts';
import { tellVersionTags } from '#src/registry/registryEvents.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { changeLoggedModel } from './loggedModels.ts';
import { type ModelSource, resolveSource } from './modelSource.ts';
import { lockModel, refuseInUse, requireModelVersion, withTag } from './registeredModels.ts';

type Context = Pick<ServiceContext, 'db'>;

/** The tag of a logged model that lists the versions registered from it. */
const VERSIONS_TAG = 'mlflow.modelVersions';

export interface CreateVersionInput {
  name: string;
  source: string;
  /** Null where the request has none. */
  runId: string | null;
  modelId: string | null;
  runLink: string;
  description: string;
  tags: Readonly<Record<string, string>>;
}

/** Registers the next version of a model, with those of its files that are here. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function createModelVersion(context: Context, input: CreateVersionInput): Promise<VersionRecord> {
  const made = await inTransaction(context.db, async (connection) => {
    await keepArtifactFiles(connection);
    const { source, runId, loggedModelId, artifactName, files } = await sourceOf(context, connection, input);
    const entry = await lockModel(connection, input.name);
    const [run = null] = runId === null ? [] : await findRunsById(connection, [runId]);
    const { runLink, description, tags } = input;
    const facts = { runId, artifactName, source, loggedModelId, userName: null };
    const version = { ...facts, runLink, description, tags: { ...tags } };
    return await addVersion(connection, { entry, version, files, aliases: [], run });
  });
  if (made.loggedModelId !== null) await noteOnLoggedModel(context, made.loggedModelId, made);
  return made;
}

async function sourceOf(
  context: Context,
  connection: Connection,
  { source, runId, modelId, tags }: CreateVersionInput,
): Promise<ModelSource> {
  // a prompt stands in the tags of its version: it has no files
  if (isPrompt(tags)) return { source, runId: null, loggedModelId: null, artifactName: null, files: [] };
  return await resolveSource(context, connection, { source, runId, modelId });
}

async function noteOnLoggedModel(context: Context, modelId: string, { name, number }: VersionRecord): Promise<void> {
  await changeLoggedModel(context, modelId, ({ tags }) => {
    const known: unknown = JSON.parse(tags[VERSIONS_TAG] ?? '[]');
    // a number here, as its server writes it; its client adds a text of its own
    const versions = [...(Array.isArray(known) ? known : []), { name, version: number }];
    return { tags: { ...tags, [VERSIONS_TAG]: JSON.stringify(versions) } };
  });
}

/** Changes a version under the lock of its model. @throws WarrenError BAD_INPUT, NOT_FOUND. */
async function changeModelVersion(
  { db }: Context,
  { name, version }: { name: string; version: string },
  change: (connection: Connection, found: VersionRecord, entry: EntryRecord) => Promise<VersionRecord | null>,
): Promise<VersionRecord> {
  return await inTransaction(db, async (connection) => {
    await requireModelVersion(connection, name, version);
    const entry = await lockModel(connection, name);
    const found = await requireModelVersion(connection, name, version);
    return (await change(connection, found, entry)) ?? found;
  });
}

/** @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function describeModelVersion(
  context: Context,
  which: { name: string; version: string },
  description: string,
): Promise<VersionRecord> {
  return await changeModelVersion(context, which, (connection, { id }) =>
    updateVersion(connection, id, { description }),
  );
}

/** Sets a tag of a version, or (null) removes it. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function setVersionTag(
  context: Context,
  which: { name: string; version: string },
  tag: { key: string; value: string | null },
): Promise<void> {
  await changeModelVersion(context, which, async (connection, version, entry) => {
    await tellVersionTags(connection, { entry, version, changes: [tag] });
    return await updateVersion(connection, version.id, { tags: withTag(version.tags, tag) });
  });
}

/** @throws WarrenError NOT_FOUND, BAD_INPUT while queued runs need it. */
export async function deleteModelVersion(context: Context, which: { name: string; version: string }): Promise<void> {
  await changeModelVersion(context, which, async (connection, found) => {
    await refuseInUse(connection, { versionId: found.id }, `${found.name}:${found.number}`);
    await removeVersion(connection, found.id);
    return null;
  });
}

/** The stage that a text means, in any case. @throws WarrenError BAD_INPUT. */
export function stageOf(text: string): RegistryStage {
  const stage = REGISTRY_STAGES.find((known) => known.toLowerCase() === text.toLowerCase());
  if (stage !== undefined) return stage;
  throw badInput(`Invalid Model Version stage: ${text}. Value must be one of ${REGISTRY_STAGES.join(', ')}.`, 'stage');
}

/** Moves a version to a stage, and with `archive` the others that are in it to `Archived`. @throws WarrenError. */
export async function moveToStage(
  context: Context,
  which: { name: string; version: string },
  { stage: text, archive }: { stage: string; archive: boolean },
): Promise<VersionRecord> {
  const stage = stageOf(text);
  if (archive && stage !== 'Staging' && stage !== 'Production') {
    throw badInput(
      `Model version transition cannot archive existing model versions because '${text}' is not an Active stage. Valid stages are ['Staging', 'Production']`,
      'stage',
    );
  }
  return await changeModelVersion(context, which, async (connection, { id, entryId }) => {
    if (archive) await archiveOthers(connection, { entryId, id, stage });
    await updateEntry(connection, entryId, {});
    return await updateVersion(connection, id, { stage });
  });
}

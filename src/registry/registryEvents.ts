import type { RegistryEvent } from '#src/base/contracts/registryEvent.ts';
import { isPrompt } from '#src/base/contracts/registry.ts';
import type { Connection } from '#src/base/database/connection.ts';
import type { EntryRecord } from '#src/registry/store/entryRecord.ts';
import type { VersionRecord } from '#src/registry/store/versionRecord.ts';
import { listWebhooksOf } from '#src/registry/store/webhookRecord.ts';
import { queueMessages } from '#src/outgoing/queueMessages.ts';
import type { TagChange } from './registryNames.ts';

// What webhooks are told, in MLflow's words: mlflow/webhooks/types.py. Datasets are nothing that MLflow knows. Each is queued in the
// transaction of the change.

type Entry = Pick<EntryRecord, 'type' | 'name' | 'tags'>;
type Version = Pick<VersionRecord, 'number'>;

/** How MLflow marks what is a prompt and not a model, and its text; receivers are not told the marks. */
const PROMPT_MARKS = new Set(['mlflow.prompt.is_prompt', '_mlflow_prompt_type']);
const PROMPT_TEXT = 'mlflow.prompt.text';

async function tell(connection: Connection, event: RegistryEvent, data: Record<string, unknown>): Promise<void> {
  for (const { id, url, secret } of await listWebhooksOf(connection, event)) {
    const content = { type: event, title: event, text: '', data };
    await queueMessages(connection, { channels: [{ type: 'mlflow', url, secret }], content, sourceId: id });
  }
}

function withoutMarks(tags: Readonly<Record<string, string>>, more: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).filter(([key]) => !PROMPT_MARKS.has(key) && !more.includes(key)));
}

/** Tells that a model was made. */
export async function tellEntryMade(connection: Connection, entry: EntryRecord): Promise<void> {
  if (entry.type !== 'model') return;
  const { name, tags, description } = entry;
  if (isPrompt(tags)) await tell(connection, 'prompt.created', { name, tags: withoutMarks(tags), description });
  else await tell(connection, 'registered_model.created', { name, tags, description });
}

/** Tells of tags of a model that changed: MLflow does for prompts alone. */
export async function tellEntryTags(
  connection: Connection,
  entry: Entry,
  changes: readonly TagChange[],
): Promise<void> {
  if (entry.type !== 'model' || !isPrompt(entry.tags)) return;
  for (const { key, value } of changes) {
    if (value == null) await tell(connection, 'prompt_tag.deleted', { name: entry.name, key });
    else await tell(connection, 'prompt_tag.set', { name: entry.name, key, value });
  }
}

/** Tells that a version was made. */
export async function tellVersionMade(connection: Connection, entry: Entry, version: VersionRecord): Promise<void> {
  if (entry.type !== 'model') return;
  const { name, tags, artifactName } = version;
  const common = { name, version: String(version.number) };
  const description = version.description === '' ? null : version.description;
  if (isPrompt(tags)) {
    const data = {
      ...common,
      template: tags[PROMPT_TEXT] ?? null,
      tags: withoutMarks(tags, [PROMPT_TEXT]),
      description,
    };
    await tell(connection, 'prompt_version.created', data);
    return;
  }
  const runId = version.runId?.replaceAll('-', '') ?? null;
  const own = runId === null ? '' : `runs:/${runId}/${artifactName ?? ''}`;
  const source = version.source === '' ? own : version.source;
  await tell(connection, 'model_version.created', { ...common, source, run_id: runId, tags, description });
}

/** Tells of tags of a version that changed. */
export async function tellVersionTags(
  connection: Connection,
  { entry, version, changes }: { entry: Entry; version: Version; changes: readonly TagChange[] },
): Promise<void> {
  if (entry.type !== 'model') return;
  const entity = isPrompt(entry.tags) ? 'prompt_version_tag' : 'model_version_tag';
  const common = { name: entry.name, version: String(version.number) };
  for (const { key, value } of changes) {
    if (value == null) await tell(connection, `${entity}.deleted`, { ...common, key });
    else await tell(connection, `${entity}.set`, { ...common, key, value });
  }
}

/** Tells that aliases point to a version now. */
export async function tellAliases(
  connection: Connection,
  { entry, version, aliases }: { entry: Entry; version: Version; aliases: readonly string[] },
): Promise<void> {
  if (entry.type !== 'model') return;
  const entity = isPrompt(entry.tags) ? 'prompt_alias' : 'model_version_alias';
  for (const alias of aliases) {
    await tell(connection, `${entity}.created`, { name: entry.name, alias, version: String(version.number) });
  }
}

/** Tells that an alias was taken away. */
export async function tellAliasGone(connection: Connection, entry: Entry, alias: string): Promise<void> {
  if (entry.type !== 'model') return;
  const entity = isPrompt(entry.tags) ? 'prompt_alias' : 'model_version_alias';
  await tell(connection, `${entity}.deleted`, { name: entry.name, alias });
}

import { randomUUID } from 'node:crypto';
import { badInput, toErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import { REGISTRY_ENTITIES } from '#src/base/contracts/registryEvent.ts';
import type { AddressGuard } from '#src/base/platform/outgoing/addressGuard.ts';
import { guardedPost } from '#src/base/platform/outgoing/guardedPost.ts';
import { innerAddress } from '#src/base/platform/outgoing/innerAddress.ts';
import type { Connection } from '#src/base/database/connection.ts';
import {
  findWebhook,
  insertWebhook,
  listWebhooks,
  type NewWebhook,
  removeWebhook,
  replaceWebhook,
  type WebhookRecord,
} from '#src/registry/store/webhookRecord.ts';
import { mlflowMessage } from '#src/outgoing/mlflowMessage.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** What MLflow's own examples of events say (mlflow/webhooks/types.py). */
function exampleOf(entity: string, action: string): Record<string, unknown> {
  const what = entity.startsWith('prompt') ? 'prompt' : 'model';
  const name = `example_${what}`;
  const facts = { tags: { example_key: 'example_value' } };
  const version = '1';
  if (entity === 'registered_model' || entity === 'prompt') {
    return { name, ...facts, description: what === 'model' ? 'An example registered model' : 'An example prompt' };
  }
  if (entity === 'model_version') {
    const origin = { source: 'models:/123', run_id: 'abcd1234abcd5678' };
    return { name, version, ...origin, ...facts, description: 'An example model version' };
  }
  if (entity === 'prompt_version') {
    return { name, version, template: 'Hello {{name}}!', ...facts, description: 'An example prompt version' };
  }
  if (entity.endsWith('_alias')) {
    return { name, alias: 'example_alias', ...(action === 'created' && { version }) };
  }
  return {
    name,
    ...(entity === 'prompt_tag' ? {} : { version }),
    key: 'example_key',
    ...(action === 'set' && { value: 'example_value' }),
  };
}

// Webhooks of the registry in MLflow's words: mlflow/utils/validation.py, mlflow/store/model_registry/sqlalchemy_store.py.

type Context = Pick<ServiceContext, 'db'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NAME = /^(?=.{1,63}$)[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i;
const LONGEST_URL = 2_000;
const LONGEST_TEXT = 5_000;
/** Every change of the registry writes a message for each of them. */
const MOST_WEBHOOKS = 100;
const TEST_MS = 8_000;

/** @throws WarrenError BAD_INPUT that says what is wrong; an address of the inner network is. */
async function checkWebhook(guard: AddressGuard, webhook: NewWebhook): Promise<NewWebhook> {
  const { name, url } = webhook;
  if (!NAME.test(name)) {
    throw badInput(
      `Webhook name '${name}' is invalid. It must start and end with a letter or digit, be less than 63 characters long, and contain only letters, digits, dots (.), underscores (_), and hyphens (-).`,
      'name',
    );
  }
  const texts = { url: [url, LONGEST_URL], description: [webhook.description ?? '', LONGEST_TEXT] } as const;
  for (const [field, [text, most]] of Object.entries({
    ...texts,
    secret: [webhook.secret ?? '', LONGEST_TEXT] as const,
  })) {
    if (text.length > most) throw badInput(`'${field}' exceeds the maximum length of ${most} characters`, field);
  }
  await checkUrl(guard, url);
  checkEvents(webhook.events);
  return webhook;
}

async function checkUrl(guard: AddressGuard, url: string): Promise<void> {
  if (url.trim() === '') throw badInput(`Webhook URL cannot be empty or just whitespace: '${url}'`, 'url');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? '';
  if (!['http', 'https'].includes(scheme)) {
    throw badInput(`Invalid webhook URL scheme: '${scheme}'. Allowed schemes are: http, https.`, 'url');
  }
  if (!/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url)) {
    throw badInput(`Webhook URL must include a hostname: '${url}'`, 'url');
  }
  const { username, password } = new URL(url);
  if (username !== '' || password !== '') {
    throw badInput('Webhook URL: one with a user or a password is not taken; the signature says who sends', 'url');
  }
  const inner = await innerAddress(guard, url);
  if (inner === null) return;
  const advice = 'an administrator can allow its network with WARREN_ALERT_ALLOW_PRIVATE';
  throw badInput(`Webhook URL must not resolve to a non-public IP address (${inner}): ${advice}`, 'url');
}

function checkEvents(events: readonly string[]): void {
  if (events.length === 0) throw badInput('Webhook events cannot be empty', 'events');
  for (const event of events) {
    const [entity = '', action = ''] = event.split('.');
    const actions = REGISTRY_ENTITIES.get(entity);
    if (actions === undefined) {
      const known = [...REGISTRY_ENTITIES.keys()].join(', ');
      throw badInput(`Nothing is told of '${entity.slice(0, 100)}' here; there are ${known}`, 'events');
    }
    if (actions.includes(action)) continue;
    const valid = actions.toSorted().map((one) => `'${one}'`);
    const message = `Invalid action '${action.slice(0, 100)}' for entity '${entity}'. Valid actions are: [${valid.join(', ')}]`;
    throw badInput(message, 'events');
  }
}

/** The webhook of this id. @throws WarrenError NOT_FOUND. */
export async function requireWebhook(connection: Connection, id: string): Promise<WebhookRecord> {
  const found = UUID.test(id) ? await findWebhook(connection, id.toLowerCase()) : null;
  if (found !== null) return found;
  throw new WarrenError('NOT_FOUND', `Webhook with ID ${id.slice(0, 200)} not found.`);
}

/** Makes a webhook of the registry of the whole server. @throws WarrenError BAD_INPUT. */
export async function createWebhook({ db }: Context, guard: AddressGuard, webhook: NewWebhook): Promise<WebhookRecord> {
  const checked = await checkWebhook(guard, webhook);
  if ((await listWebhooks(db, { offset: 0, limit: MOST_WEBHOOKS })).length >= MOST_WEBHOOKS) {
    throw badInput(`there are ${MOST_WEBHOOKS} webhooks, and no more are taken: delete one`);
  }
  return await insertWebhook(db, checked);
}

/** Changes what is given of a webhook. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function changeWebhook(
  { db }: Context,
  guard: AddressGuard,
  { id, change }: { id: string; change: Partial<NewWebhook> },
): Promise<WebhookRecord> {
  const before = await requireWebhook(db, id);
  const changed = await replaceWebhook(db, before.id, await checkWebhook(guard, { ...before, ...change }));
  return changed ?? (await requireWebhook(db, id));
}

/** @throws WarrenError NOT_FOUND. */
export async function deleteWebhook({ db }: Context, id: string): Promise<void> {
  const { id: found } = await requireWebhook(db, id);
  await removeWebhook(db, found);
}

/** How a webhook took an example. */
export interface WebhookTest {
  success: boolean;
  response_status?: number;
  response_body?: string;
  error_message?: string;
}

/** Sends an example of an event, or of the first of a webhook's own, and answers how it was taken. @throws WarrenError. */
export async function testWebhook(
  { db }: Context,
  guard: AddressGuard,
  { id, event }: { id: string; event: string | null },
): Promise<WebhookTest> {
  const { url, secret, events } = await requireWebhook(db, id);
  const sent = event ?? events[0] ?? '';
  checkEvents([sent]);
  const [name = '', action = ''] = sent.split('.');
  const data = exampleOf(name, action);
  const message = mlflowMessage({ id: randomUUID(), event: sent, createdAt: new Date(), data, secret });
  try {
    const status = await guardedPost({ url, ...message, guard, timeoutMs: TEST_MS });
    return { success: status < 400, response_status: status, response_body: '' };
  } catch (error) {
    return { success: false, error_message: `Failed to test webhook: ${toErrorRecord(error).message}` };
  }
}

import { badInput } from '#src/base/contracts/errors.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { changeWebhook, createWebhook, deleteWebhook, requireWebhook, testWebhook } from '#src/mlflow/webhooks.ts';
import { listWebhooks, type WebhookRecord } from '#src/registry/store/webhookRecord.ts';
import type { MlflowCall } from './calls.ts';
import { offsetOf, pageToken } from './pages.ts';
import { readRequest } from './request.ts';

const WEBHOOKS_OF_PAGE = 100;
const MOST_OF_PAGE = 1_000;

function webhookAnswer(webhook: WebhookRecord): Record<string, unknown> {
  const { id, name, description, url, events, active, createdAt, updatedAt } = webhook;
  return {
    ...{ webhook_id: id, name, url },
    ...(description === null ? {} : { description }),
    events: events.map((event) => {
      const [entity = '', action = ''] = event.split('.');
      return { entity: entity.toUpperCase(), action: action.toUpperCase() };
    }),
    status: active ? 'ACTIVE' : 'DISABLED',
    ...{ creation_timestamp: createdAt.getTime(), last_updated_timestamp: updatedAt.getTime() },
  };
}

/** `{"entity": "MODEL_VERSION", "action": "CREATED"}` as `model_version.created`. */
function eventOf(value: unknown): string {
  if (isPlainObject(value) && typeof value.entity === 'string' && typeof value.action === 'string') {
    return `${value.entity.toLowerCase()}.${value.action.toLowerCase()}`;
  }
  throw badInput('events: expected objects such as {"entity": "MODEL_VERSION", "action": "CREATED"}', 'events');
}

function isActive(status: string): boolean {
  if (status === 'ACTIVE' || status === 'DISABLED') return status === 'ACTIVE';
  throw badInput(
    `Invalid value '${status.slice(0, 50)}' for parameter 'status': expected ACTIVE or DISABLED`,
    'status',
  );
}

const create: MlflowCall = {
  needs: 'ADMIN',
  answer: async (services, body, { guard }) => {
    const request = readRequest(body, {
      ...({ name: 'string!', url: 'string!', events: 'array!' } as const),
      ...({ description: 'string', secret: 'string', status: 'string' } as const),
    });
    const webhook = await createWebhook(services, guard, {
      ...{ name: request.name, url: request.url, events: [...new Set(request.events.map(eventOf))] },
      description: request.description || null,
      secret: request.secret || null,
      active: request.status === undefined || isActive(request.status),
    });
    return { webhook: webhookAnswer(webhook) };
  },
};

const list: MlflowCall = {
  needs: 'ADMIN',
  answer: async ({ db }, body) => {
    const request = readRequest(body, { max_results: 'integer', page_token: 'string' });
    const size = request.max_results || WEBHOOKS_OF_PAGE;
    if (size < 1 || size > MOST_OF_PAGE) throw badInput('max_results must be between 1 and 1000.', 'max_results');
    const offset = offsetOf(request.page_token);
    const found = await listWebhooks(db, { offset, limit: size + 1 });
    const webhooks = found.slice(0, size).map(webhookAnswer);
    return {
      ...(webhooks.length === 0 ? {} : { webhooks }),
      ...(found.length > size ? { next_page_token: pageToken(offset + size) } : {}),
    };
  },
};

function ofOne(method: string, id: string): MlflowCall | null {
  switch (method) {
    case 'GET':
      return { needs: 'ADMIN', answer: async ({ db }) => ({ webhook: webhookAnswer(await requireWebhook(db, id)) }) };
    case 'PATCH':
      return {
        needs: 'ADMIN',
        answer: async (services, body, { guard }) => {
          const request = readRequest(body, {
            ...({ name: 'string', url: 'string', events: 'array' } as const),
            ...({ description: 'string', secret: 'string', status: 'string' } as const),
          });
          const change = {
            ...(request.name && { name: request.name }),
            ...(request.url && { url: request.url }),
            ...(request.events?.length && { events: [...new Set(request.events.map(eventOf))] }),
            ...(request.description !== undefined && { description: request.description }),
            ...(request.secret !== undefined && { secret: request.secret || null }),
            ...(request.status !== undefined && { active: isActive(request.status) }),
          };
          return { webhook: webhookAnswer(await changeWebhook(services, guard, { id, change })) };
        },
      };
    case 'DELETE':
      return {
        needs: 'ADMIN',
        answer: async (services) => {
          await deleteWebhook(services, id);
          return {};
        },
      };
    default:
      return null;
  }
}

/** The call about webhooks of the registry at what follows `webhooks/`; null where there is none. */
export function webhookCall(method: string, [id, action, ...rest]: readonly string[]): MlflowCall | null {
  if (id === undefined || rest.length > 0)
    return id === undefined ? ({ POST: create, GET: list }[method] ?? null) : null;
  if (action === undefined) return ofOne(method, id);
  if (action !== 'test' || method !== 'POST') return null;
  return {
    needs: 'ADMIN',
    answer: async (services, body, { guard }) => {
      const event = body.event === undefined || body.event === null ? null : eventOf(body.event);
      return { result: await testWebhook(services, guard, { id, event }) };
    },
  };
}

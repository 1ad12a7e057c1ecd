import { artifactCalls } from './artifactCalls.ts';
import type { MlflowCall } from './calls.ts';
import { searchDatasets } from './datasets.ts';
import { experimentCalls } from './experimentCalls.ts';
import { metricCalls } from './metricCalls.ts';
import { logOutputs, modelCall } from './modelCalls.ts';
import { logModel } from './modelHistory.ts';
import { modelVersionCalls } from './modelVersionCalls.ts';
import { registeredModelCalls } from './registeredModelCalls.ts';
import { runCalls } from './runCalls.ts';
import { webhookCall } from './webhookCalls.ts';

const CALLS: ReadonlyMap<string, Readonly<Record<string, MlflowCall>>> = new Map([
  ['experiments', { ...experimentCalls, 'search-datasets': { needs: 'READ', answer: searchDatasets } }],
  [
    'runs',
    {
      ...runCalls,
      outputs: { needs: 'WRITE', answer: logOutputs },
      'log-model': { needs: 'WRITE', answer: logModel },
    },
  ],
  ['metrics', metricCalls],
  ['artifacts', artifactCalls],
]);

/** Calls of the registry, by method and name. */
const REGISTRY: ReadonlyMap<string, Readonly<Record<string, MlflowCall>>> = new Map([
  ['registered-models', registeredModelCalls],
  ['model-versions', modelVersionCalls],
]);

/** Calls that answer a GET. */
const GETS = new Set([
  'search',
  'get',
  'get-by-name',
  'list',
  'get-history',
  'get-history-bulk',
  'get-history-bulk-interval',
]);

/** The call at a place such as `runs/log-batch`, asked for with GET or POST; null where there is none. */
export function mlflowCall(method: string, place: string): MlflowCall | null {
  const [area = '', ...inside] = place.split('/');
  if (area === 'logged-models') return modelCall(method, inside);
  if (area === 'webhooks') return webhookCall(method, inside);
  const [name = '', ...rest] = inside;
  const registry = REGISTRY.get(area);
  if (registry !== undefined) {
    const call = `${method} ${name}`;
    return rest.length === 0 && Object.hasOwn(registry, call) ? (registry[call] ?? null) : null;
  }
  const calls = CALLS.get(area);
  if (calls === undefined || rest.length > 0 || !Object.hasOwn(calls, name)) return null;
  const isSearch = name === 'search' || name === 'search-datasets';
  const allowed = GETS.has(name) && !(area === 'runs' && isSearch) ? method === 'GET' || isSearch : method === 'POST';
  return allowed ? (calls[name] ?? null) : null;
}

/**
 * Every place that a call is at, with an id for those of models and webhooks: for whoever must go through all of them, such as a test.
 * @param id of a logged model or a webhook.
 */
export function mlflowPlaces(id: string): { method: string; place: string }[] {
  const tables = [...CALLS].flatMap(([area, calls]) => Object.keys(calls).map((name) => `${area}/${name}`));
  const registry = [...REGISTRY].flatMap(([area, calls]) =>
    Object.keys(calls).map((call) => `${area}/${call.slice(call.indexOf(' ') + 1)}`),
  );
  const parts = ['', '/tags', '/tags/key', '/params', '/artifacts/directories', '/test'];
  const models = ['logged-models', 'logged-models/search', ...parts.map((part) => `logged-models/${id}${part}`)];
  const webhooks = ['webhooks', `webhooks/${id}`, `webhooks/${id}/test`];
  const places = [...new Set([...tables, ...registry, ...models, ...webhooks])];
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
    places.filter((place) => mlflowCall(method, place) !== null).map((place) => ({ method, place })),
  );
}

import { artifactCalls } from './artifactCalls.ts';
import type { MlflowCall } from './calls.ts';
import { searchDatasets } from './datasets.ts';
import { experimentCalls } from './experimentCalls.ts';
import { metricCalls } from './metricCalls.ts';
import { logOutputs, modelCall } from './modelCalls.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { asPlainObject, isPlainObject, type PlainObject } from '#src/base/lib/plainObject.ts';
import { appendToTag } from '#src/mlflow/logToRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { readRequest } from './request.ts';
import { modelVersionCalls } from './modelVersionCalls.ts';
import { registeredModelCalls } from './registeredModelCalls.ts';
import { runCalls } from './runCalls.ts';
import { webhookCall } from './webhookCalls.ts';

/** The tag of a run in which clients look for the models that were logged without an id of their own. */
const HISTORY_TAG = 'mlflow.log-model.history';
const REQUIRED = ['artifact_path', 'flavors', 'run_id', 'utc_time_created'];

/**
 * Notes a model that a client has put among the files of a run, as those of MLflow 2 do: the list of them is a tag.
 * @throws WarrenError NOT_FOUND, BAD_INPUT.
 */
async function logModel(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, { run_id: 'string!', model_json: 'string!' });
  const model = readModel(request.model_json);
  const missing = REQUIRED.filter((name) => !Object.hasOwn(model, name));
  if (missing.length > 0) {
    throw badInput(`Model json is missing mandatory fields: {${missing.map((name) => `'${name}'`).join(', ')}}`);
  }
  await appendToTag(services, { runId: request.run_id, key: HISTORY_TAG, item: summaryOf(model) });
  return {};
}

function readModel(text: string): PlainObject {
  try {
    return asPlainObject(JSON.parse(text));
  } catch {
    throw badInput(`Malformed model info. \n ${text} \n is not a valid JSON.`, 'model_json');
  }
}

/** What MLflow keeps of a model: its flavors without their `config`, and where it is. */
function summaryOf(model: PlainObject): PlainObject {
  const { run_id, artifact_path, utc_time_created, model_uuid = null } = model;
  const flavors = Object.entries(asPlainObject(model.flavors) ?? {}).map(([name, flavor]) => {
    if (!isPlainObject(flavor)) return [name, flavor];
    return [name, Object.fromEntries(Object.entries(flavor).filter(([key]) => key !== 'config'))];
  });
  return { run_id, artifact_path, utc_time_created, model_uuid, flavors: Object.fromEntries(flavors) };
}

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

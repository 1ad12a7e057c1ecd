import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { experimentNumbers } from '#src/mlflow/experiments.ts';
import {
  changeLoggedModel,
  createLoggedModel,
  type PlacedModel,
  requireLoggedModel,
  searchLoggedModels,
} from '#src/mlflow/loggedModels.ts';
import type { KeyedText } from '#src/mlflow/logToRun.ts';
import { mlflowRunId, requireTrackedRun } from '#src/mlflow/trackedRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { checkedPath, listFiles } from '#src/mlflow/runFiles.ts';
import { artifactUri } from './answers.ts';
import { filesAnswer } from './artifactCalls.ts';
import type { MlflowCall } from './calls.ts';
import { parametersOf, tagsOf } from './entities.ts';
import { checkPageSize, offsetOf, pageToken } from './pages.ts';
import { modelConditions, modelOrder } from './modelFilters.ts';
import { integerOf, readRequest } from './request.ts';

const STATUSES = ['LOGGED_MODEL_PENDING', 'LOGGED_MODEL_READY', 'LOGGED_MODEL_UPLOAD_FAILED'];

const MODELS_OF_PAGE = 50;
const MOST_OF_PAGE = 1_000;

const record = (pairs: readonly KeyedText[]) => Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
const pairs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }));

function modelAnswer({ run, model }: PlacedModel): Record<string, unknown> {
  return {
    info: {
      model_id: model.id,
      experiment_id: String(run.experimentNumber),
      name: model.name,
      creation_timestamp_ms: model.createdMs,
      last_updated_timestamp_ms: model.updatedMs,
      // among the files of the run, so that they are seen with it
      artifact_uri: `${artifactUri(run)}/models/${model.id}`,
      status: model.status,
      model_type: model.type,
      source_run_id: mlflowRunId(run.id),
      tags: pairs(model.tags),
    },
    data: { params: pairs(model.params) },
  };
}

async function create(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, {
    ...({ experiment_id: 'string', name: 'string', model_type: 'string', source_run_id: 'string' } as const),
    ...({ params: 'array', tags: 'array' } as const),
  });
  const bad = [...'/:.%"\''].some((character) => request.name?.includes(character));
  if (bad) {
    const rule = `('/', ':', '.', '%', '"', "'")`;
    throw badInput(
      `Invalid model name ('${request.name}') provided. Model name must be a non-empty string and cannot contain the following characters: ${rule}`,
      'name',
    );
  }
  const model = await createLoggedModel(services, request.source_run_id ?? '', {
    name: request.name || 'model',
    type: request.model_type ?? '',
    tags: record(tagsOf(request.tags)),
    params: record(parametersOf(request.params)),
  });
  return { model: modelAnswer(model) };
}

async function search(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, {
    ...({ experiment_ids: 'array!', filter: 'string', order_by: 'array' } as const),
    ...({ max_results: 'integer', page_token: 'string' } as const),
  });
  const numbers = experimentNumbers(request.experiment_ids);
  const limit = checkPageSize(request.max_results ?? MODELS_OF_PAGE, MOST_OF_PAGE);
  const offset = offsetOf(request.page_token);
  const found = await searchLoggedModels(services, {
    experimentNumbers: numbers,
    conditions: modelConditions(request.filter ?? ''),
    order: modelOrder(request.order_by ?? []),
    ...{ offset, limit: limit + 1 },
  });
  const models = found.slice(0, limit).map(modelAnswer);
  return {
    ...(models.length === 0 ? {} : { models }),
    ...(found.length > limit ? { next_page_token: pageToken(offset + limit) } : {}),
  };
}

/** Files of a model, by their place below it. */
async function listModelFiles(services: ServiceContext, id: string, body: Record<string, unknown>): Promise<unknown> {
  const { artifact_directory_path: folder = '' } = readRequest(body, { artifact_directory_path: 'string' });
  const { run } = await requireLoggedModel(services, id);
  const inside = checkedPath(folder);
  const files = filesAnswer(await listFiles(services, run.id, `models/${id}${inside && `/${inside}`}`), inside);
  return { root_uri: `${artifactUri(run)}/models/${id}`, ...(files.length === 0 ? {} : { files }) };
}

function statusOf(value: unknown): string {
  const status = typeof value === 'number' ? STATUSES[value - 1] : value;
  if (typeof status === 'string' && STATUSES.includes(status)) return status;
  throw badInput(`Invalid value ${JSON.stringify(value)} for parameter 'status' supplied.`, 'status');
}

function tagRemoval(id: string, encoded: string): MlflowCall {
  return {
    needs: 'WRITE',
    answer: async (services) => {
      const key = decodedKey(encoded);
      await changeLoggedModel(services, id, ({ tags }) => {
        const { [key]: old, ...kept } = tags;
        if (old !== undefined) return { tags: kept };
        throw new WarrenError('NOT_FOUND', `No tag with key '${key}' found for model with ID '${id}'.`);
      });
      return {};
    },
  };
}

function decodedKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badInput(`${JSON.stringify(text)} is no key of a tag`, 'tag_key');
  }
}

/** The call about logged models at a place below `/logged-models`, such as `m-…/tags`; null where there is none. */
export function modelCall(method: string, place: readonly string[]): MlflowCall | null {
  const [id = '', part, ...rest] = place;
  const [named, ...further] = rest;
  if (method === 'DELETE' && part === 'tags' && named !== undefined && further.length === 0)
    return tagRemoval(id, named);
  if (method === 'GET' && part === 'artifacts' && named === 'directories' && further.length === 0) {
    return { needs: 'READ', answer: (services, body) => listModelFiles(services, id, body) };
  }
  if (rest.length > 0) return null;
  if (method === 'DELETE' && id !== '' && part === undefined) {
    return {
      needs: 'WRITE',
      answer: async (services) => {
        await changeLoggedModel(services, id, () => ({ deleted: true }));
        return {};
      },
    };
  }
  if (method === 'POST' && id === '') return { needs: 'WRITE', answer: create };
  if (method === 'POST' && id === 'search' && part === undefined) return { needs: 'READ', answer: search };
  if (method === 'GET' && part === undefined) {
    return {
      needs: 'READ',
      answer: async (services) => ({ model: modelAnswer(await requireLoggedModel(services, id)) }),
    };
  }
  if (method === 'PATCH' && part === undefined) {
    return {
      needs: 'WRITE',
      answer: async (services, { status }) => ({
        model: modelAnswer(await changeLoggedModel(services, id, () => ({ status: statusOf(status) }))),
      }),
    };
  }
  if (method === 'PATCH' && part === 'tags') {
    return {
      needs: 'WRITE',
      answer: async (services, body) => {
        const added = record(tagsOf(readRequest(body, { tags: 'array' }).tags));
        const model = await changeLoggedModel(services, id, ({ tags }) => ({ tags: { ...tags, ...added } }));
        return { model: modelAnswer(model) };
      },
    };
  }
  if (method !== 'POST' || part !== 'params') return null;
  return {
    needs: 'WRITE',
    answer: async (services, body) => {
      const added = record(parametersOf(readRequest(body, { params: 'array' }).params));
      await changeLoggedModel(services, id, ({ params }) => ({ params: { ...params, ...added } }));
      return {};
    },
  };
}

/** Says at which step a run put models out. */
export async function logOutputs(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const { run_id: runId, models } = readRequest(body, { run_id: 'string!', models: 'array!' });
  await requireTrackedRun(services, runId);
  for (const item of models) {
    const { model_id: id, step }: { model_id?: unknown; step?: unknown } = { ...Object(item) };
    await changeLoggedModel(services, String(id), () => ({ step: integerOf(step) ?? 0 }));
  }
  return {};
}

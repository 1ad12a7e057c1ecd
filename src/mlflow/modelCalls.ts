import { badInput } from '#src/contracts/errors.ts';
import { experimentNumbers } from '#src/services/mlflow/experiments.ts';
import {
  changeLoggedModel,
  createLoggedModel,
  type PlacedModel,
  requireLoggedModel,
  searchLoggedModels,
} from '#src/services/mlflow/loggedModels.ts';
import type { KeyedText } from '#src/services/mlflow/logToRun.ts';
import { mlflowRunId, requireTrackedRun } from '#src/services/mlflow/trackedRuns.ts';
import type { ServiceContext } from '#src/services/serviceContext.ts';
import { artifactUri } from './answers.ts';
import type { MlflowCall } from './calls.ts';
import { parametersOf, tagsOf } from './entities.ts';
import { checkPageSize, offsetOf, pageToken } from './pages.ts';
import { integerOf, readRequest } from './request.ts';
import { quotedText, searchClauses } from './searchClauses.ts';

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
  const model = await createLoggedModel(services, request.source_run_id ?? '', {
    name: request.name ?? 'model',
    type: request.model_type ?? '',
    tags: record(tagsOf(request.tags)),
    params: record(parametersOf(request.params)),
  });
  return { model: modelAnswer(model) };
}

/** Models by name alone, which is what clients ask for. @throws WarrenError BAD_INPUT for other filters. */
async function search(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, {
    ...({ experiment_ids: 'array', filter: 'string' } as const),
    ...({ max_results: 'integer', page_token: 'string' } as const),
  });
  const names = searchClauses(request.filter ?? '').map(({ name, operator, value }) => {
    if (name.parts.at(-1) === 'name' && operator === '=') return quotedText(value, 'attributes');
    throw badInput(`Warren finds logged models by name = '…' alone, not by ${name.text} ${operator}`, 'filter');
  });
  const numbers = experimentNumbers(request.experiment_ids ?? []);
  const limit = checkPageSize(request.max_results ?? MODELS_OF_PAGE, MOST_OF_PAGE);
  const offset = offsetOf(request.page_token);
  const page = { experimentNumbers: numbers, names, offset, limit: limit + 1 };
  const found = await searchLoggedModels(services, page);
  const models = found.slice(0, limit).map(modelAnswer);
  return {
    ...(models.length === 0 ? {} : { models }),
    ...(found.length > limit ? { next_page_token: pageToken(offset + limit) } : {}),
  };
}

function statusOf(value: unknown): string {
  const status = typeof value === 'number' ? STATUSES[value - 1] : value;
  if (typeof status === 'string' && STATUSES.includes(status)) return status;
  throw badInput(`Invalid value ${JSON.stringify(value)} for parameter 'status' supplied.`, 'status');
}

/** The call about logged models at a place below `/logged-models`, such as `m-…/tags`; null where there is none. */
export function modelCall(method: string, place: readonly string[]): MlflowCall | null {
  const [id = '', part, ...rest] = place;
  if (rest.length > 0) return null;
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

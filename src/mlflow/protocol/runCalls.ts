import { badInput } from '#src/base/contracts/errors.ts';
import { experimentNumbers } from '#src/mlflow/experiments.ts';
import { logModelInputs } from '#src/mlflow/loggedModels.ts';
import { deleteTag, logDatasets, logToRun } from '#src/mlflow/logToRun.ts';
import { createTrackedRun, deleteTrackedRun, requireTrackedRun, updateTrackedRun } from '#src/mlflow/trackedRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { searchTrackedRuns } from '#src/mlflow/store/searchTrackedRuns.ts';
import { findTrackedRuns } from '#src/mlflow/store/trackedRun.ts';
import { runAnswers, runInfoAnswer } from './answers.ts';
import type { MlflowCall } from './calls.ts';
import { datasetsOf } from './datasets.ts';
import { checkBatch, parameterOf, modelIdsOf, parametersOf, pointOf, pointsOf, tagOf, tagsOf } from './entities.ts';
import { checkPageSize, offsetOf, pageToken } from './pages.ts';
import { readRequest, withRunId } from './request.ts';
import { runConditions, runOrder } from './searchFields.ts';
import { deletedOf } from './viewType.ts';

const MOST_RESULTS = 50_000;
const DEFAULT_RESULTS = 1_000;
const STATUSES = ['RUNNING', 'SCHEDULED', 'FINISHED', 'FAILED', 'KILLED'];

function checkRunId(runId: string): string {
  if (/^[a-zA-Z0-9][\w-]{0,255}$/.test(runId)) return runId;
  throw badInput(`Invalid value ${JSON.stringify(runId)} for parameter 'run_id' supplied.`, 'run_id');
}

const NONE = { points: [], parameters: [], tags: [] } as const;

async function create(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, {
    experiment_id: 'string',
    user_id: 'string',
    run_name: 'string',
    start_time: 'integer',
    tags: 'array',
  });
  const tags = tagsOf(request.tags);
  const run = await createTrackedRun(services, {
    experimentId: request.experiment_id ?? '0',
    userName: request.user_id ?? services.userName ?? '',
    name: request.run_name ?? '',
    startMs: checkTime(request.start_time, 'start_time'),
    tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
  });
  const [answer = ''] = await runAnswers(services.db, [run], { isNew: true });
  return `{"run": ${answer}}`;
}

function checkTime(timeMs: number | undefined, name: string): number | null {
  if (timeMs === undefined) return null;
  if (timeMs >= 0 && timeMs < 253_402_300_800_000) return timeMs;
  throw badInput(
    `Invalid value ${timeMs} for parameter '${name}' supplied: expected Unix milliseconds up to 9999`,
    name,
  );
}

/** The numbers of protobuf's statuses are taken, too. */
function statusOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const status =
    typeof value === 'number' ? [null, 'RUNNING', 'SCHEDULED', 'FINISHED', 'FAILED', 'KILLED'][value] : value;
  if (typeof status === 'string' && STATUSES.includes(status)) return status;
  throw badInput(`Invalid value ${JSON.stringify(value)} for parameter 'status' supplied.`, 'status');
}

async function update(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(withRunId(body), { run_id: 'string!', end_time: 'integer', run_name: 'string' });
  const run = await updateTrackedRun(services, {
    runId: request.run_id,
    status: statusOf(body.status),
    endMs: checkTime(request.end_time, 'end_time'),
    name: request.run_name ?? null,
  });
  return { run_info: runInfoAnswer(run) };
}

const MOST_ORDERS = 20;

function checkOrders(orders: readonly string[]): readonly string[] {
  if (orders.length <= MOST_ORDERS) return orders;
  throw badInput(`${orders.length} entries in order_by; at most ${MOST_ORDERS}`, 'order_by');
}

async function search({ db }: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, {
    experiment_ids: 'array',
    filter: 'string',
    max_results: 'integer',
    order_by: 'texts',
    page_token: 'string',
  });
  if ((request.max_results ?? 0) > MOST_RESULTS) {
    const hint = "Hint: Value was of type 'int'. See the API docs for more information about request parameters.";
    throw badInput(
      `Invalid value ${request.max_results} for parameter 'max_results' supplied:  ${hint}`,
      'max_results',
    );
  }
  const size = checkPageSize(request.max_results ?? DEFAULT_RESULTS, MOST_RESULTS);
  const offset = offsetOf(request.page_token);
  const numbers = experimentNumbers(request.experiment_ids ?? []);
  const ids = await searchTrackedRuns(db, {
    experimentNumbers: numbers,
    conditions: runConditions(request.filter ?? ''),
    order: runOrder(checkOrders(request.order_by ?? [])),
    inTrash: deletedOf(body.run_view_type),
    offset,
    limit: size + 1,
  });
  const answers = await runAnswers(db, await findTrackedRuns(db, ids.slice(0, size)));
  const members = [
    ...(answers.length === 0 ? [] : [`"runs": [${answers.join(', ')}]`]),
    ...(ids.length > size ? [`"next_page_token": ${JSON.stringify(pageToken(offset + size))}`] : []),
  ];
  return `{${members.join(', ')}}`;
}

async function logBatch(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(withRunId(body), { run_id: 'string!', metrics: 'array', params: 'array', tags: 'array' });
  const runId = checkRunId(request.run_id);
  const points = pointsOf(request.metrics);
  const parameters = parametersOf(request.params);
  const tags = tagsOf(request.tags);
  checkBatch(
    { metrics: points.length, params: parameters.length, tags: tags.length },
    parameters.map(({ key }) => key),
  );
  await logToRun(services, { runId, points, parameters, tags });
  return {};
}

async function setDeleted(services: ServiceContext, body: Record<string, unknown>, deleted: boolean): Promise<unknown> {
  const request = readRequest(withRunId(body), { run_id: 'string!' });
  await deleteTrackedRun(services, request.run_id, deleted);
  return {};
}

/** Calls about runs, by their place below `/runs/`. */
export const runCalls: Readonly<Record<string, MlflowCall>> = {
  create: { needs: 'WRITE', answer: create },
  update: { needs: 'WRITE', answer: update },
  delete: { needs: 'WRITE', answer: (services, body) => setDeleted(services, body, true) },
  restore: { needs: 'WRITE', answer: (services, body) => setDeleted(services, body, false) },
  get: {
    needs: 'READ',
    answer: async (services, body) => {
      const request = readRequest(withRunId(body), { run_id: 'string!' });
      const run = await requireTrackedRun(services, request.run_id);
      const [answer = ''] = await runAnswers(services.db, [run]);
      return `{"run": ${answer}}`;
    },
  },
  search: { needs: 'READ', answer: search },
  'log-batch': { needs: 'WRITE', answer: logBatch },
  'log-metric': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const shape = {
        run_id: 'string!',
        key: 'string!',
        value: 'number!',
        timestamp: 'integer!',
        step: 'integer',
      } as const;
      const request = readRequest(withRunId(body), shape);
      await logToRun(services, { ...NONE, runId: request.run_id, points: [pointOf(request)] });
      return {};
    },
  },
  'log-parameter': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const request = readRequest(withRunId(body), { run_id: 'string!', key: 'string!', value: 'string' });
      await logToRun(services, { ...NONE, runId: request.run_id, parameters: [parameterOf(request)], single: true });
      return {};
    },
  },
  'set-tag': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const request = readRequest(withRunId(body), { run_id: 'string!', key: 'string!', value: 'string' });
      await logToRun(services, { ...NONE, runId: request.run_id, tags: [tagOf(request)] });
      return {};
    },
  },
  'delete-tag': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const request = readRequest(withRunId(body), { run_id: 'string!', key: 'string!' });
      await deleteTag(services, request.run_id, request.key);
      return {};
    },
  },
  'log-inputs': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const request = readRequest(withRunId(body), { run_id: 'string!', datasets: 'array', models: 'array' });
      const runId = checkRunId(request.run_id);
      const models = modelIdsOf(request.models);
      await logDatasets(services, runId, datasetsOf(request.datasets));
      if (models.length > 0) await logModelInputs(services, runId, models);
      return {};
    },
  },
};

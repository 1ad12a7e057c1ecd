import { badInput } from '#src/base/contracts/errors.ts';
import { requireTrackedRun } from '#src/mlflow/trackedRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { type HistoryColumns, readHistory, sampleHistory } from '#src/metrics/store/metricHistory.ts';
import { metricValue } from './answers.ts';
import type { MlflowCall } from './calls.ts';
import { offsetOf, pageToken } from './pages.ts';
import { readRequest, withRunId } from './request.ts';

const MOST_RUNS = 100;
const MOST_BULK = 25_000;
const MOST_OF_RUN = 2_500;
/** Points of one answer about one series; MLflow's own client asks for 25,000. */
const MOST_OF_SERIES = 100_000;

interface MetricAnswer {
  key: string;
  value: number | 'NaN';
  timestamp: number;
  step: number;
  run_id?: string;
}

function metricsOf(key: string, { steps, values, times }: HistoryColumns): MetricAnswer[] {
  return steps.map((step, index) => ({ key, value: metricValue(values[index]!), timestamp: times[index]!, step }));
}

async function getHistory(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(withRunId(body), {
    run_id: 'string!',
    metric_key: 'string!',
    page_token: 'string',
    max_results: 'integer',
  });
  const { max_results: asked = MOST_OF_SERIES } = request;
  if (asked <= 0) {
    throw badInput(`Invalid value ${asked} for parameter 'max_results' supplied. It must be a positive integer.`);
  }
  const limit = Math.min(asked, MOST_OF_SERIES);
  const offset = offsetOf(request.page_token);
  const { id: runId } = await requireTrackedRun(services, request.run_id);
  const range = { offset, limit: limit + 1 };
  const found = metricsOf(
    request.metric_key,
    await readHistory(services.db, { runId, name: request.metric_key }, range),
  );
  const metrics = found.slice(0, limit);
  return {
    ...(metrics.length === 0 ? {} : { metrics }),
    ...(found.length > limit ? { next_page_token: pageToken(offset + limit) } : {}),
  };
}

async function getBulk(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const ids = body.run_id === undefined ? [] : [body.run_id].flat().map(String);
  if (ids.length === 0) throw badInput('GetMetricHistoryBulk request must specify at least one run_id.');
  if (ids.length > MOST_RUNS) {
    const received = `Received ${ids.length} run_ids.`;
    throw badInput(`GetMetricHistoryBulk request cannot specify more than ${MOST_RUNS} run_ids. ${received}`);
  }
  if (typeof body.metric_key !== 'string') throw badInput('GetMetricHistoryBulk request must specify a metric_key.');
  const { max_results: asked = MOST_BULK } = readRequest(body, { max_results: 'integer' });
  if (asked < 1)
    throw badInput(`Invalid value ${asked} for parameter 'max_results' supplied. It must be a positive integer.`);
  const most = Math.min(asked, MOST_BULK);
  const metrics: MetricAnswer[] = [];
  for (const id of ids.sort()) {
    const { id: runId } = await requireTrackedRun(services, id);
    const range = { offset: 0, limit: most - metrics.length };
    const found = await readHistory(services.db, { runId, name: body.metric_key }, range);
    metrics.push(...metricsOf(body.metric_key, found).map((metric) => ({ ...metric, run_id: id })));
  }
  return { metrics };
}

async function getInterval(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, {
    run_ids: 'texts!',
    metric_key: 'string!',
    start_step: 'integer',
    end_step: 'integer',
    max_results: 'integer',
  });
  const { run_ids: ids, metric_key: name, start_step: from, end_step: to, max_results: most = MOST_OF_RUN } = request;
  const see = 'See the API docs for more information about request parameters.';
  if (ids.length > MOST_RUNS) {
    const limit = `GetMetricHistoryBulkInterval request must specify at most ${MOST_RUNS} run_ids.`;
    throw badInput(`${limit} Received ${ids.length} run_ids. ${see}`);
  }
  if (most < 1 || most > MOST_OF_RUN) throw badInput(`max_results must be between 1 and ${MOST_OF_RUN}. ${see}`);
  if ((from === undefined) !== (to === undefined)) {
    throw badInput('If either start step or end step are specified, both must be specified.');
  }
  if (from !== undefined && to !== undefined && from > to) {
    throw badInput(`end_step must be greater than start_step. Found start_step=${from} and end_step=${to}.`);
  }
  const steps = from === undefined || to === undefined ? null : { from, to };
  const metrics: MetricAnswer[] = [];
  for (const id of ids) {
    const { id: runId } = await requireTrackedRun(services, id);
    const found = await sampleHistory(services.db, { runId, name }, { most, steps });
    metrics.push(...metricsOf(name, found).map((metric) => ({ ...metric, run_id: id })));
  }
  return metrics.length === 0 ? {} : { metrics };
}

/** Calls about metrics, by their place below `/metrics/`. */
export const metricCalls: Readonly<Record<string, MlflowCall>> = {
  'get-history': { needs: 'READ', answer: getHistory },
  'get-history-bulk': { needs: 'READ', answer: getBulk },
  'get-history-bulk-interval': { needs: 'READ', answer: getInterval },
};

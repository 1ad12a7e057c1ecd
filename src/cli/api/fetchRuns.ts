import { z } from 'zod';
import { WarrenError } from '#src/contracts/errors.ts';
import type { ApiClient } from '../apiClient.ts';
import {
  METRIC_SUMMARY_FIELDS,
  metricSummarySchema,
  RUN_SUMMARY_FIELDS,
  type RunSummary,
  runSummarySchema,
} from './runSummary.ts';

/** Runs asked for in one request; more would meet the API's limit on the cost of a query. */
const CHUNK = 20;

/**
 * The runs with these ids or numbers, in their order.
 * @throws WarrenError NOT_FOUND that names the first that does not exist.
 */
export async function fetchRuns(api: ApiClient, ids: readonly string[]): Promise<RunSummary[]> {
  return fetchEach(api, ids, RUN_SUMMARY_FIELDS, runSummarySchema);
}

const resultSchema = z.object({
  ...runSummarySchema.shape,
  environment: z.record(z.string(), z.unknown()),
  metrics: z.array(metricSummarySchema),
});
export type RunResult = z.infer<typeof resultSchema>;

/** The same with the last value of every metric and the environment that was recorded. */
export async function fetchResults(api: ApiClient, ids: readonly string[]): Promise<RunResult[]> {
  return fetchEach(api, ids, `${RUN_SUMMARY_FIELDS} environment metrics { ${METRIC_SUMMARY_FIELDS} }`, resultSchema);
}

async function fetchEach<T>(
  api: ApiClient,
  ids: readonly string[],
  fields: string,
  schema: z.ZodType<T>,
): Promise<T[]> {
  const found: T[] = [];
  for (let start = 0; start < ids.length; start += CHUNK) {
    const chunk = ids.slice(start, start + CHUNK);
    const parameters = chunk.map((_, index) => `$id${index}: ID!`).join(', ');
    const selections = chunk.map((_, index) => `run${index}: run(id: $id${index}) { ${fields} }`).join('\n');
    const variables = Object.fromEntries(chunk.map((id, index) => [`id${index}`, id]));
    const answer = await api.request(
      `query Runs(${parameters}) { ${selections} }`,
      variables,
      z.record(z.string(), schema.nullable()),
    );
    chunk.forEach((id, index) => {
      const run = answer[`run${index}`];
      if (run === null || run === undefined)
        throw new WarrenError('NOT_FOUND', `there is no run ${id}; \`warren ls\` lists those that there are`);
      found.push(run);
    });
  }
  return found;
}

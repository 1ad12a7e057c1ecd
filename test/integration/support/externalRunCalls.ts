import type { TestApi } from './apiForTests.ts';

/** Records points of a run of another program; answers how many were new. */
export const LOG_METRICS =
  'mutation ($runId: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $runId, series: $series) }';

/** Makes a run of another program, and gives its id. */
export async function createExternalRun({ ok }: TestApi, input: Record<string, unknown> = {}): Promise<string> {
  return (await ok('mutation ($input: CreateRunInput!) { createRun(input: $input) { id } }', { input })).createRun.id;
}

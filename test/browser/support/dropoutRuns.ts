import type { TestApi } from '#test/integration/support/apiForTests.ts';

/**
 * Makes six ended runs in the project `papers`: three seeds without dropout, three with dropout 0.5, which end .1 higher.
 * @returns Their numbers.
 */
export async function makeDropoutRuns(ok: TestApi['ok']): Promise<number[]> {
  const numbers: number[] = [];
  for (const [dropout, gain] of [
    [0, 0],
    [0.5, 0.1],
  ] as const) {
    for (const seed of [1, 2, 3]) {
      const { createRun: run } = await ok(
        'mutation ($input: CreateRunInput!) { createRun(input: $input) { id number } }',
        { input: { project: 'papers', name: `dropout ${dropout}`, seed, parameters: { dropout } } },
      );
      const last = 0.3 + gain + (seed * (1 + gain)) / 100;
      await ok('mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }', {
        id: run.id,
        series: [
          { name: 'valid/ndcg@10', steps: [0, 1, 2, 3], values: [0.1, 0.2, 0.25 + gain, last] },
          { name: 'test/ndcg@10', steps: [3], values: [last] },
        ],
      });
      await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: run.id });
      numbers.push(run.number);
    }
  }
  return numbers;
}

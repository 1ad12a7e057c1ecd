import type { GraphqlAnswer, TestApi } from './apiForTests.ts';

const DETAILS = `query ($id: ID!) { run(id: $id) {
  id number name state tags seed user project { name } environment error { message }
  configuration { hash parameters datasetName }
  metrics { name pointCount lastStep lastValue }
  artifacts { name mediaType url }
  attempts { number state }
} }`;

interface LoggedRuns {
  runOf(printed: string): Promise<GraphqlAnswer['data']>;
  history(runId: string, name: string): Promise<{ steps: number[]; values: unknown[] }>;
  logTexts(runId: string): Promise<string[]>;
  alertsOf(runId: string): Promise<string[]>;
}

/** What programs logged, as the API tells it. */
export function loggedRuns(api: TestApi): LoggedRuns {
  /** The run whose id or number a program printed last. */
  async function runOf(printed: string): Promise<GraphqlAnswer['data']> {
    return (await api.ok(DETAILS, { id: printed.trim().split('\n').at(-1) })).run;
  }

  async function history(runId: string, name: string): Promise<{ steps: number[]; values: unknown[] }> {
    const query = 'query ($id: ID!, $name: String!) { metricHistory(runIds: [$id], names: [$name]) { steps values } }';
    const { metricHistory } = await api.ok(query, { id: runId, name });
    return metricHistory[0] ?? { steps: [], values: [] };
  }

  async function logTexts(runId: string): Promise<string[]> {
    const { logs } = await api.ok('query ($id: ID!) { logs(runId: $id) { lines { text } } }', { id: runId });
    return logs.lines.map(({ text }: { text: string }) => text);
  }

  /** What its program raised: title, text and level. */
  async function alertsOf(runId: string): Promise<string[]> {
    const { alerts } = await api.ok('{ alerts(first: 200) { title text level run { id } } }');
    const own = alerts.filter(({ run }: { run: { id: string } | null }) => run?.id === runId);
    return own.map(({ title, text, level }: Record<string, string>) => `${title} (${text}, ${level})`);
  }

  return { runOf, history, logTexts, alertsOf };
}

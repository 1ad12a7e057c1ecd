import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { atEndOfFile } from '#test/integration/support/atEndOfFile.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { type TestProgram, startProgram } from '#test/integration/runtime/testWorkers.ts';
import { apiForTests, type TestApi } from '#test/integration/support/apiForTests.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { waitUntil } from '#test/integration/support/waitUntil.ts';

export interface QueuedRun {
  id: string;
  number: number;
}

export interface TestDashboard {
  api: TestApi;
  worker: TestProgram;
  /** Queues runs by the API, as another user would. */
  enqueue(input: Record<string, unknown>): Promise<QueuedRun[]>;
  stateOf(run: QueuedRun): Promise<string>;
  /** Waits until all runs have ended; fails when one did not succeed. */
  succeed(runs: readonly QueuedRun[]): Promise<void>;
}

/** A dataset that is generated, so that no file is needed. */
export const DATASET = 'generated/markov-small';

/**
 * The built dashboard, served by the real API over a real PostgreSQL, with a real worker that executes what is queued.
 * Use at the top of a file: `const dashboard = await dashboardForTests()`.
 */
export async function dashboardForTests(): Promise<TestDashboard> {
  const built = builtFile('web');
  if (!existsSync(join(built, 'index.html'))) throw new Error('the dashboard is not built: npm run build');
  const api = await apiForTests({ dashboardFolder: built });
  const worker = await startProgram(builtFile('worker.js'), {
    DATABASE_URL: api.postgres.url,
    WARREN_HOME: join(temporaryFolder(), 'worker'),
    WARREN_API_URL: api.url,
    WARREN_BACKEND: 'cpu',
    WARREN_THREADS: '1',
    WARREN_LOG: 'warn',
  });
  // Before its folder is removed: hooks run in reverse order.
  atEndOfFile(async () => void (await worker.stop()));
  const stateOf = async ({ id }: QueuedRun): Promise<string> =>
    (await api.ok('query ($id: ID!) { run(id: $id) { state } }', { id })).run.state;
  return {
    api,
    worker,
    stateOf,
    enqueue: async (input) =>
      (await api.ok('mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id number } }', { input }))
        .enqueueRuns,
    succeed: async (runs) => {
      for (const run of runs) {
        await waitUntil(
          `run ${run.number} succeeds`,
          async () => {
            const state = await stateOf(run);
            if (state === 'FAILED' || state === 'CANCELLED') {
              const told = await api.ok('query ($id: ID!) { run(id: $id) { error { code message } } }', { id: run.id });
              throw new Error(`run ${run.number} is ${state}: ${JSON.stringify(told.run.error)}`);
            }
            return state === 'SUCCEEDED';
          },
          60_000,
        );
      }
    },
  };
}

/** Parameters of a training that goes on for minutes, an epoch every some milliseconds. */
export const LONG_TRAINING = { epochs: 100_000, evaluateEvery: 200, patience: 0 };

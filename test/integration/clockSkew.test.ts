import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientOf } from './support/apiForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';
import { startUp, startWarren } from './support/warrenCommand.ts';

const HOUR_MS = 3_600_000;

/** A variable that has Node, and what it starts, believe that it is so much later. */
function clockOff(ms: number): Record<string, string> {
  const program = `
    const Real = Date;
    globalThis.Date = class Date extends Real {
      constructor(...given) { given.length === 0 ? super(Real.now() + ${ms}) : super(...given); }
      static now() { return Real.now() + ${ms}; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}

const RUN = `query ($id: ID!) { run(id: $id) { state createdAt startedAt endedAt attempts { number } events { type time } }
  metricHistory(runIds: [$id]) { name steps times } logs(runId: $id) { lines { time } } workers { alive } }`;

interface Answer {
  run: { state: string; createdAt: string; startedAt: string; endedAt: string; attempts: object[] };
  metricHistory: { name: string; steps: number[]; times: number[] }[];
  logs: { lines: { time: string }[] };
  workers: { alive: boolean }[];
}

const home = join(temporaryFolder(), 'home');
// with the real leases, which the clocks are held against
const REAL = { WARREN_TIMING: '1' };
const up = startUp(home, ['--workers', '0'], REAL);

/** Of what is left of a difference that was measured beside an answer. */
const TOLERANCE_MS = 3_000;

test.each([
  ['ahead of', HOUR_MS],
  ['behind', -HOUR_MS],
])('a worker whose clock is an hour %s the others executes a run as they do', async (which, ms) => {
  const { ok } = clientOf((await up).url);
  const worker = startWarren(['worker'], { WARREN_HOME: home, ...REAL, ...clockOff(ms) });
  const input = { kind: 'popularity', dataset: 'generated/markov-small', seeds: [1] };
  const { enqueueRuns } = await ok('mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id } }', {
    input,
  });
  const { run, metricHistory, logs, workers } = await waitUntil(
    `the run ends ${worker.stderr()}`,
    async (): Promise<Answer | false> => {
      const found: Answer = await ok(RUN, { id: enqueueRuns[0].id });
      return found.run.endedAt !== null && found;
    },
    60_000,
  );
  expect(run).toMatchObject({ state: 'SUCCEEDED', attempts: [{ number: 1 }] });
  expect(workers).toEqual([{ alive: true }]);
  const [created, started, ended] = [run.createdAt, run.startedAt, run.endedAt].map((time) => Date.parse(time));
  expect(created).toBeLessThanOrEqual(started!);
  expect(started).toBeLessThanOrEqual(ended!);
  const times = [...metricHistory.flatMap((metric) => metric.times), ...logs.lines.map(({ time }) => Date.parse(time))];
  expect(times.length).toBeGreaterThan(0);
  expect(Math.min(...times)).toBeGreaterThan(started! - TOLERANCE_MS);
  expect(Math.max(...times)).toBeLessThan(ended! + TOLERANCE_MS);
  // they are numbered by the seconds since the start
  const system = metricHistory.find(({ name }) => name === 'system/memory_mb');
  expect(Math.max(...(system?.steps ?? []))).toBeLessThan(60);
  expect(worker.stderr()).toMatch(new RegExp(`clock is 3(599|600|601) s ${which} the database's`));
  worker.child.kill('SIGTERM');
  await worker.ended;
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startEmbeddedPostgres } from '#src/platform/embedded/embeddedPostgres.ts';
import { createLogger } from '#src/platform/logger.ts';
import { applyMigrations } from '#src/platform/postgres/migrations.ts';
import { connectPostgres } from '#src/platform/postgres/postgresClient.ts';
import { withApi } from '../apiProcess.ts';
import type { BenchResult } from '../benchResult.ts';
import { measure, type Timing } from '../measure.ts';
import { processorMs } from '../service/processorTime.ts';
import { wholeNumber } from '../wholeNumber.ts';
import { type MlflowPeer, peerPython, withMlflowServer } from './mlflowPeer.ts';
import { createExperiment, createRun, fillMlflow, fillWarren, post, type Tracking } from './mlflowRuns.ts';

const OPTIONS = {
  /** Runs that are searched. */
  runs: { type: 'string', default: '10000' },
  /** Metrics of each. */
  metrics: { type: 'string', default: '100' },
  /** How often each search is measured. */
  calls: { type: 'string', default: '5' },
  /** How long the eight clients log. */
  seconds: { type: 'string', default: '10' },
  json: { type: 'boolean', default: false },
} as const;

const CLIENTS = 8;
/** What MLflow takes at once. */
const BATCH = 1_000;
const KEYS = 10;

const SEARCHES: Readonly<Record<string, Record<string, unknown>>> = {
  'runs/search: 1,000 runs, the newest': { max_results: 1_000 },
  'runs/search: 100 runs, the newest': { max_results: 100 },
  'runs/search: 100 runs, two conditions': {
    ...{ filter: "metrics.`metric-7` > 0.5 and params.model = 'sasrec'", max_results: 100 },
  },
  'runs/search: 100 runs, best of a metric': { order_by: ['metrics.`metric-3` DESC'], max_results: 100 },
};
const LOG = `log-batch: ${BATCH} points, ${CLIENTS} clients`;

const found = z.object({
  runs: z.array(
    z.object({
      info: z.object({ run_name: z.string() }),
      data: z.record(z.string(), z.array(z.looseObject({ key: z.string() }))),
    }),
  ),
});

/** A run in one line, the same wherever it was found. */
function shownRun(name: string, data: Record<string, { key: string }[]>): string {
  const lists = Object.entries(data).map(([what, list]) => [what, list.toSorted((a, b) => (a.key < b.key ? -1 : 1))]);
  return JSON.stringify([name, lists]);
}

interface Measured {
  timings: Record<string, Timing>;
  /** Names of the runs that each search found, with the number of their metrics. */
  found: string[];
  pointsPerSecond: number;
  /** Processor time of server and database for a million points, in seconds. */
  processorSeconds: number;
}

/**
 * What MLflow's clients wait for, here and at MLflow's own server over the same PostgreSQL: points by `log-batch`, and searches
 * among many runs. The clients are this program, on the same processors.
 */
export async function mlflowBench(flags: readonly string[]): Promise<BenchResult> {
  const { values } = parseArgs({ args: [...flags], options: OPTIONS });
  const size = { runs: wholeNumber('runs', values.runs), metrics: wholeNumber('metrics', values.metrics) };
  const how = { calls: wholeNumber('calls', values.calls), ms: wholeNumber('seconds', values.seconds) * 1000 };
  const folder = mkdtempSync(join(tmpdir(), 'warren-bench-'));
  const postgres = await startEmbeddedPostgres({ home: folder, port: 0, log: createLogger('bench', 'warn') });
  const result: BenchResult = { name: 'mlflow', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [], table: [] };
  try {
    await applyMigrations(postgres.url);
    const ours = await withApi({ databaseUrl: postgres.url, home: folder }, async (url, pid) => {
      const tracking = { url: `${url}/mlflow` };
      const client = await connectPostgres(postgres.superuserUrl, { applicationName: 'bench', answerMs: 0 });
      const experiment = await fillWarren(tracking, client, size);
      await client.end();
      return await measureTracking(tracking, [pid, postgres.pid], experiment, how);
    });
    add(result, ours, '');
    const peer = peerPython();
    if ('reason' in peer) {
      result.notes.push(`not compared with MLflow's own server: ${peer.reason}`);
      return result;
    }
    const theirs = await withMlflowServer(peer, { superuserUrl: postgres.superuserUrl, folder }, async (server) => {
      const client = await connectPostgres(server.databaseUrl, { applicationName: 'bench', answerMs: 0 });
      const experiment = await fillMlflow(server, client, size);
      await client.end();
      return await measureTracking(server, [server.pid, postgres.pid], experiment, how);
    });
    if (ours.found.join() !== theirs.found.join()) throw new Error('the servers found other runs');
    add(result, theirs, `/mlflow-${peer.version}`);
    result.notes.push(
      `${size.runs} runs of ${size.metrics} metrics; both over the same PostgreSQL, MLflow with its own number of workers`,
    );
    return result;
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function add(result: BenchResult, measured: Measured, peer: string): void {
  for (const [name, { median, spread }] of Object.entries(measured.timings)) {
    const key = `${name}${peer}`;
    (peer === '' ? result.ours : result.peers)[key] = median;
    result.spread[key] = spread;
    if (peer !== '') result.ratios[key] = result.ours[name]! / median;
  }
  result.table?.push({
    ...{
      work: `log-batch, ${CLIENTS} clients${peer}`,
      value: measured.pointsPerSecond,
      unit: 'points/s',
      aim: 100_000,
    },
    ...{ processorMs: null, also: `${measured.processorSeconds.toFixed(1)} s of processor a million points` },
  });
}

async function measureTracking(
  tracking: Tracking | MlflowPeer,
  pids: readonly number[],
  experiment: string,
  { calls, ms }: { calls: number; ms: number },
): Promise<Measured> {
  const timings: Record<string, Timing> = {};
  const names: string[] = [];
  for (const [name, search] of Object.entries(SEARCHES)) {
    let answer: unknown = null;
    const work = async () => {
      answer = await post(tracking, 'runs/search', { experiment_ids: [experiment], ...search });
    };
    timings[name] = await measure(work, calls);
    names.push(...found.parse(answer).runs.map(({ info, data }) => shownRun(info.run_name, data)));
  }
  const logged = await logBatches(tracking, pids, ms);
  timings[LOG] = logged.timing;
  return { timings, found: names, ...logged };
}

/** Eight clients, each into a run of its own, each request after the last. */
async function logBatches(
  tracking: Tracking,
  pids: readonly number[],
  ms: number,
): Promise<Pick<Measured, 'pointsPerSecond' | 'processorSeconds'> & { timing: Timing }> {
  const experiment_id = await createExperiment(tracking, 'logged');
  const ids = await Promise.all(Array.from({ length: CLIENTS }, () => createRun(tracking, { experiment_id })));
  const times: number[] = [];
  const before = processorMs(pids);
  const started = performance.now();
  await Promise.all(
    ids.map(async (run_id) => {
      for (let turn = 0; performance.now() - started < ms; turn++) {
        const body = batch(run_id, turn);
        const sent = performance.now();
        await post(tracking, 'runs/log-batch', body);
        times.push((performance.now() - sent) / 1000);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const points = times.length * BATCH;
  return {
    timing: { median: times[times.length >> 1]!, spread: [times[0]!, times.at(-1)!] },
    pointsPerSecond: points / seconds,
    processorSeconds: ((processorMs(pids) - before) / 1000 / points) * 1e6,
  };
}

function batch(run_id: string, turn: number): string {
  const metrics: string[] = [];
  for (let place = 0; place < BATCH; place++) {
    const step = turn * (BATCH / KEYS) + Math.floor(place / KEYS);
    const value = Math.sin(step / 1e3 + (place % KEYS));
    metrics.push(
      `{"key":"train/metric-${place % KEYS}","value":${value},"timestamp":${1.7e12 + step * 50},"step":${step}}`,
    );
  }
  return `{"run_id":"${run_id}","metrics":[${metrics.join(',')}]}`;
}

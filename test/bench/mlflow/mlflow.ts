import { readFlags } from '../readFlags.ts';
import type pg from 'pg';
import { z } from 'zod';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { withApi } from '../apiProcess.ts';
import type { BenchResult, BenchRow } from '../benchResult.ts';
import { measure, type Timing } from '../measure.ts';
import { withFolder, withPostgres } from '../postgresProcess.ts';
import { rowLine, timingLine } from '../resultLines.ts';
import { processorMs } from '#test/config/processorTime.ts';
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

interface Logged {
  pointsPerSecond: number;
  /** Processor time of server and database for a million points, in seconds. */
  processorSeconds: number;
}

interface Measured extends Logged {
  timings: Record<string, Timing>;
  /** Names of the runs that each search found, with their data. */
  found: string[];
}

/**
 * What MLflow's clients wait for, here and at MLflow's own server over the same PostgreSQL: points by `log-batch`, and searches
 * among many runs. The clients are this program, on the same processors. What is known already is said on stderr.
 */
export async function mlflowBench(flags: readonly string[]): Promise<BenchResult> {
  const values = readFlags(flags, OPTIONS);
  const size = { runs: wholeNumber('runs', values.runs), metrics: wholeNumber('metrics', values.metrics) };
  const how = { calls: wholeNumber('calls', values.calls), ms: wholeNumber('seconds', values.seconds) * 1000 };
  return await withFolder((folder) =>
    withPostgres(folder, async (postgres) => {
      const result: BenchResult = { name: 'mlflow', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [], table: [] };
      const ours = await withApi({ databaseUrl: postgres.url, home: folder }, async (url, pid) => {
        const tracking = { url: `${url}/mlflow` };
        const fill = (client: pg.Client) => fillWarren(tracking, client, size);
        const experiment = await filled('Warren', postgres.superuserUrl(), fill);
        return await measureTracking(tracking, [pid, postgres.pid], experiment, { ...how, peer: '' });
      });
      add(result, ours, '');
      const peer = peerPython();
      if ('reason' in peer) {
        result.notes.push(`not compared with MLflow's own server: ${peer.reason}`);
        return result;
      }
      say(`starting MLflow ${peer.version} …`);
      const suffix = `/mlflow-${peer.version}`;
      const theirs = await withMlflowServer(peer, { superuserUrl: postgres.superuserUrl(), folder }, async (server) => {
        const fill = (client: pg.Client) => fillMlflow(server, client, size);
        const experiment = await filled('MLflow', server.databaseUrl, fill);
        return await measureTracking(server, [server.pid, postgres.pid], experiment, { ...how, peer: suffix });
      });
      if (ours.found.join() !== theirs.found.join()) throw new Error('the servers found other runs');
      add(result, theirs, suffix);
      result.notes.push(
        `${size.runs} runs of ${size.metrics} metrics; both over the same PostgreSQL, MLflow with its own number of workers`,
      );
      return result;
    }),
  );
}

/** Says on stderr how far it is: stdout is the result. */
function say(line: string): void {
  console.error(`mlflow: ${line}`);
}

/** Fills a database. @returns the experiment that is in it. */
async function filled(
  whose: string,
  databaseUrl: string,
  fill: (client: pg.Client) => Promise<string>,
): Promise<string> {
  const started = performance.now();
  const client = await connectPostgres(databaseUrl, { applicationName: 'bench', answerMs: 0 });
  const experiment = await fill(client);
  await client.end();
  say(`filled the database of ${whose} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return experiment;
}

function add(result: BenchResult, measured: Measured, peer: string): void {
  for (const [name, { median, spread }] of Object.entries(measured.timings)) {
    const key = `${name}${peer}`;
    (peer === '' ? result.ours : result.peers)[key] = median;
    result.spread[key] = spread;
    if (peer !== '') result.ratios[key] = result.ours[name]! / median;
  }
  result.table?.push(logRow(measured, peer));
}

function logRow({ pointsPerSecond, processorSeconds }: Logged, peer: string): BenchRow {
  return {
    ...{ work: `log-batch, ${CLIENTS} clients${peer}`, value: pointsPerSecond, unit: 'points/s', aim: 100_000 },
    ...{ processorMs: null, also: `${processorSeconds.toFixed(1)} s of processor a million points` },
  };
}

async function measureTracking(
  tracking: Tracking | MlflowPeer,
  pids: readonly number[],
  experiment: string,
  { calls, ms, peer }: { calls: number; ms: number; peer: string },
): Promise<Measured> {
  const timings: Record<string, Timing> = {};
  const names: string[] = [];
  for (const [name, search] of Object.entries(SEARCHES)) {
    let answer: unknown = null;
    const work = async () => {
      answer = await post(tracking, 'runs/search', { experiment_ids: [experiment], ...search });
    };
    const timing = await measure(work, calls);
    timings[name] = timing;
    say(timingLine(`${name}${peer}`, timing.median, timing.spread));
    names.push(...found.parse(answer).runs.map(({ info, data }) => shownRun(info.run_name, data)));
  }
  const logged = await logBatches(tracking, pids, ms);
  timings[LOG] = logged.timing;
  say(timingLine(`${LOG}${peer}`, logged.timing.median, logged.timing.spread));
  say(rowLine(logRow(logged, peer)));
  return { timings, found: names, ...logged };
}

/** Eight clients, each into a run of its own, each request after the last. */
async function logBatches(
  tracking: Tracking,
  pids: readonly number[],
  ms: number,
): Promise<Logged & { timing: Timing }> {
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

import type pg from 'pg';
import { z } from 'zod';
import type { BenchRow } from '../benchResult.ts';
import { call, type CallTimes, type Service, timeClients } from './serviceCalls.ts';
import { pointBytes } from './serviceData.ts';

const CREATE = 'mutation ($input: CreateRunInput!) { createRun(input: $input) { id } }';
const LOG = 'mutation ($runId: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $runId, series: $series) }';
const MANY = 5_000;
const created = z.object({ createRun: z.object({ id: z.string() }) });

/** The rows of writes, every call over HTTP, each client into a run of its own. @param ms How long each is measured. */
export async function serviceWrites(service: Service, client: pg.Client, ms: number): Promise<BenchRow[]> {
  const until = { calls: Number.POSITIVE_INFINITY, ms };
  const runs = await createRuns(service, 16);
  const logOne = (step: number) => (index: number, turn: number) =>
    call(service, LOG, {
      runId: runs[index],
      series: [{ name: 'train/loss', steps: [step + turn], values: [1 / (turn + 1)] }],
    });
  const many = await timeClients(service, { clients: 16, until }, logOne(0));
  const one = await timeClients(service, { clients: 1, until }, logOne(1e6));

  const before = await pointBytes(client);
  const written = await createRuns(service, 8);
  let points = 0;
  const bulk = await timeClients(service, { clients: 8, until }, async (index, turn) => {
    const steps = Array.from({ length: MANY / 10 }, (_, step) => turn * (MANY / 10) + step);
    const values = steps.map((step) => Math.sin(step / 1e3));
    const series = Array.from({ length: 10 }, (_, name) => ({ name: `train/metric-${name}`, steps, values }));
    await call(service, LOG, { runId: written[index], series });
    points += MANY;
  });
  const bytes = (await pointBytes(client)) - before;
  const spent = ({ processorMs }: CallTimes) => ({ processorMs });
  const each = ({ ofEach: [api = 0, database = 0] }: CallTimes) =>
    `API ${api.toFixed(2)}, PostgreSQL ${database.toFixed(2)} ms of it`;
  return [
    {
      ...{ work: 'one point a call, 16 clients', value: many.callsPerSecond, unit: 'calls/s', aim: 1_500 },
      ...{ ...spent(many), also: `p99 ${many.p99.toFixed(0)} ms (30); ${each(many)}` },
    },
    {
      ...{ work: 'one point a call, one client', value: one.p50, unit: 'ms', aim: 3 },
      ...{ ...spent(one), also: `p95 ${one.p95.toFixed(1)} ms; ${each(one)}` },
    },
    {
      ...{ work: '5,000 points a call, 8 clients', value: bulk.callsPerSecond * MANY, unit: 'points/s', aim: 300_000 },
      ...{ ...spent(bulk), also: `p95 ${bulk.p95.toFixed(0)} ms a call; ${each(bulk)}` },
    },
    {
      ...{ work: 'a point on disk, just written, with indices', value: bytes / points, unit: 'bytes', aim: 16 },
      ...{ processorMs: null, also: `${points} points` },
    },
  ];
}

async function createRuns(service: Service, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const answer = await call(service, CREATE, { input: { project: 'bench-writes', seed: index } });
    ids.push(created.parse(answer).createRun.id);
  }
  return ids;
}

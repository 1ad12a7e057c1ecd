import type { MetricPointReport } from '#src/base/contracts/reports.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import type { EmbeddedPostgres } from '#src/base/platform/embedded/embeddedPostgres.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { claimRun } from '#src/attempts/claimRun.ts';
import { enqueueRuns } from '#src/runs/enqueueRuns.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { registerWorker } from '#src/fleet/workers.ts';
import type { BenchResult } from './benchResult.ts';
import { measure } from './measure.ts';
import { withFolder, withPostgres } from './postgresProcess.ts';

const BATCHES = 50;
const BATCH = 1000;

/** 50 batches of 1000 points of ten series, written as workers write them, beside the bare insertion of the same rows. */
export async function recordBench(): Promise<BenchResult> {
  return await withFolder((home) => withPostgres(home, measureRecording));
}

async function measureRecording(server: EmbeddedPostgres): Promise<BenchResult> {
  const queue = await openRunQueue({ databaseUrl: server.url, redisUrl: null });
  const db = openDatabase(server.url, { poolSize: 1 });
  const context = { db, queue };
  const workerId = '00000000-0000-7000-8000-000000000001';
  const worker = { id: workerId, name: 'bench', host: 'bench', pid: process.pid, version: '0', backend: 'cpu' };
  await registerWorker(context, { ...worker, device: 'cpu', gpu: false, slots: 1, details: {} });
  const dataset = 'generated/markov-50x20';
  const [run] = await enqueueRuns(context, { kind: 'popularity', dataset });
  if (run === undefined) throw new Error('no run was queued');
  const claim = { workerId, workerName: 'bench', backend: 'cpu', device: 'cpu' };
  await claimRun(context, { payload: { runId: run.id, attempt: 1 }, ...claim });

  let step = 0;
  const ours = await measure(async () => {
    for (let batch = 0; batch < BATCHES; batch++) {
      const reports: MetricPointReport[] = [];
      for (let point = 0; point < BATCH; point++) {
        const name = `train/series-${point % 10}`;
        reports.push({ type: 'metric', name, step: step + Math.floor(point / 10), value: point, timeMs: Date.now() });
      }
      step += BATCH / 10;
      await recordReports(context, { runId: run.id, attempt: 1, workerId, reports });
    }
  });

  const client = await connectPostgres(server.url, { applicationName: 'bench' });
  await client.query(
    'CREATE TABLE bare (series int8, step int8, value float8, time timestamptz, PRIMARY KEY (series, step))',
  );
  let bareStep = 0;
  const bare = await measure(async () => {
    for (let batch = 0; batch < BATCHES; batch++) {
      const points = Array.from({ length: BATCH }, (_, point) => point);
      await client.query(
        `INSERT INTO bare SELECT series, step, value, now()
         FROM unnest($1::int8[], $2::int8[], $3::float8[]) AS point (series, step, value)`,
        [points.map((point) => point % 10), points.map((point) => bareStep + Math.floor(point / 10)), points],
      );
      bareStep += BATCH / 10;
    }
  });
  await client.end();
  await closeDatabase(db);
  await queue.close();
  const name = `${BATCHES * BATCH} points`;
  return {
    name: 'record',
    ours: { [name]: ours.median },
    peers: { [`${name}/bare unnest`]: bare.median },
    ratios: { [`${name}/bare unnest`]: ours.median / bare.median },
    spread: { [name]: ours.spread, [`${name}/bare unnest`]: bare.spread },
    notes: [
      `${Math.round((BATCHES * BATCH) / ours.median)} points a second on one connection, fenced, idempotent, summed up`,
      `${Math.round((BATCHES * BATCH) / bare.median)} points a second is what PostgreSQL takes with nothing of that`,
    ],
  };
}

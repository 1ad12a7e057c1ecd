import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readFlags } from '../readFlags.ts';
import { gunzipSync } from 'node:zlib';
import sqlite from 'node-sqlite3-wasm';
import { z } from 'zod';
import { builtFile, projectRoot } from '#src/base/lib/projectRoot.ts';
import { exitOf, stopProcess } from '#src/base/platform/processes/processTree.ts';
import { withApi } from '../apiProcess.ts';
import type { BenchResult, BenchRow } from '../benchResult.ts';
import { withFolder, withPostgres } from '../postgresProcess.ts';
import { endedChildrenMs, processorMs } from '#test/config/processorTime.ts';
import { whileOpen } from '../whileOpen.ts';
import { wholeNumber } from '../wholeNumber.ts';
import { type ScalarEvent, writeEventFile } from './eventFile.ts';

const OPTIONS = {
  /** Points of each source. */
  points: { type: 'string', default: '1000000' },
  /** Metrics that they belong to, a value of each at a step. */
  metrics: { type: 'string', default: '10' },
  /** A folder for processor profiles of the command and the API, which Chrome's developer tools show. */
  profiles: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Points a second that are promised. */
const AIM = 100_000;
const SAMPLE = join(projectRoot(), 'test', 'oracles', 'imports', 'mlflow', 'mlflow.db.gz');

const imported = z.object({ points: z.number(), newPoints: z.number(), seconds: z.number() });

interface Size {
  points: number;
  metrics: number;
}

/** A Warren with its database, and where `warren import` has its home. */
interface Target {
  url: string;
  home: string;
  /** API and PostgreSQL. */
  pids: number[];
  profiles: string | undefined;
}

/** `warren import` of one run with many points, of TensorBoard's event file and MLflow's database, into an empty Warren. */
export async function importsBench(flags: readonly string[]): Promise<BenchResult> {
  const values = readFlags(flags, OPTIONS);
  const { profiles } = values;
  const size: Size = { points: wholeNumber('points', values.points), metrics: wholeNumber('metrics', values.metrics) };
  return await withFolder((folder) =>
    withPostgres(folder, async (postgres) => {
      const events = writeEvents(folder, size);
      const database = writeMlflow(folder, size);
      const table = await withApi({ databaseUrl: postgres.url, home: folder, profiles }, async (url, pid) => {
        const target: Target = { url, home: join(folder, 'client'), pids: [pid, postgres.pid], profiles };
        return [
          await importRow('tensorboard', target, ['tensorboard', events], size.points),
          await importRow('tensorboard, the same again', target, ['tensorboard', events], 0),
          await importRow('mlflow, SQLite', target, ['mlflow', database], size.points),
        ];
      });
      const note = `${size.points} points of ${size.metrics} metrics in one run; the time is that of the whole command`;
      return { name: 'imports', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [note], table };
    }),
  );
}

function* scalars({ points, metrics }: Size): Generator<ScalarEvent> {
  for (let place = 0; place < points; place++) {
    const step = Math.floor(place / metrics);
    const tag = `train/metric-${place % metrics}`;
    yield { tag, step, value: Math.sin(step / 1e3 + (place % metrics)), wallTime: 1.7e9 + step / 20 };
  }
}

function writeEvents(folder: string, size: Size): string {
  const source = join(folder, 'tensorboard');
  mkdirSync(source);
  writeEventFile(join(source, 'events.out.tfevents.1700000000.host.1.0'), scalars(size));
  return source;
}

/** A database that MLflow made, with points in place of those that it had. */
function writeMlflow(folder: string, { points, metrics }: Size): string {
  const path = join(folder, 'mlflow.db');
  const content = gunzipSync(readFileSync(SAMPLE));
  // without a write-ahead log, which this build of SQLite does not open (sqlite.org/fileformat.html, offsets 18 and 19)
  content.fill(1, 18, 20);
  writeFileSync(path, content);
  const database = new sqlite.Database(path);
  try {
    database.run('DELETE FROM metrics');
    database.run(
      `INSERT INTO metrics (key, value, timestamp, run_uuid, step, is_nan)
       WITH RECURSIVE point (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM point WHERE place < ? - 1)
       SELECT 'train/metric-' || (place % ?), (place * 7919 % 100003) / 100003.0, 1700000000000 + place / ? * 50,
         (SELECT run_uuid FROM runs WHERE name = 'small'), place / ?, 0 FROM point`,
      [points, metrics, metrics, metrics],
    );
  } finally {
    database.close();
  }
  return path;
}

async function importRow(work: string, target: Target, words: readonly string[], newPoints: number): Promise<BenchRow> {
  const serverBefore = processorMs(target.pids);
  const clientBefore = endedChildrenMs();
  const started = performance.now();
  const result = await runImport(target, words);
  const seconds = (performance.now() - started) / 1000;
  if (result.newPoints !== newPoints) throw new Error(`${work}: ${result.newPoints} points are new, not ${newPoints}`);
  const client = (endedChildrenMs() - clientBefore) / 1000;
  const server = (processorMs(target.pids) - serverBefore) / 1000;
  const also = `${(client + server).toFixed(1)} s of processor: ${client.toFixed(1)} the command, ${server.toFixed(1)} API and PostgreSQL`;
  return { work, value: result.points / seconds, unit: 'points/s', aim: AIM, processorMs: null, also };
}

async function runImport({ url, home, profiles }: Target, words: readonly string[]): Promise<z.infer<typeof imported>> {
  const flags = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const begin = () =>
    spawn(process.execPath, [...flags, builtFile('cli.js'), 'import', ...words, '--project', 'imported', '--json'], {
      env: { ...process.env, WARREN_API_URL: url, WARREN_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
  return await whileOpen(
    begin,
    async (child) => void (await stopProcess(child, { graceMs: 5_000 })),
    async (child) => {
      const printed = await text(child.stdout);
      const { code } = await exitOf(child);
      if (code !== 0) throw new Error(`warren import ended with code ${code}`);
      return imported.parse(JSON.parse(printed));
    },
  );
}

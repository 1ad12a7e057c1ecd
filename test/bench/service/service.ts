import { readFlags } from '../readFlags.ts';
import type pg from 'pg';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { withApi } from '../apiProcess.ts';
import type { BenchResult, BenchRow } from '../benchResult.ts';
import { withFolder, withPostgres } from '../postgresProcess.ts';
import { wholeNumber } from '../wholeNumber.ts';
import { serviceReads } from './serviceReads.ts';
import { loadServiceData, LONG_METRIC, pointBytes, type ServiceSize, settle, waitUntilPacked } from './serviceData.ts';
import { serviceWrites } from './serviceWrites.ts';

const OPTIONS = {
  /** Ended runs that are there. */
  runs: { type: 'string', default: '10000' },
  /** Metrics of each. */
  metrics: { type: 'string', default: '100' },
  /** Points of each metric. */
  points: { type: 'string', default: '8' },
  /** Writes points as rows, which the API packs before anything is measured, not in blocks. */
  loose: { type: 'boolean', default: false },
  'long-points': { type: 'string', default: '1000000' },
  /** How often each read is measured. */
  calls: { type: 'string', default: '200' },
  /** How long each write is measured. */
  seconds: { type: 'string', default: '5' },
  /** A folder that keeps the database for the next time. */
  home: { type: 'string' },
  /** Only rows of reads whose names contain this. */
  only: { type: 'string', default: '' },
  /** A folder for a processor profile of the API, which Chrome's developer tools show. */
  profiles: { type: 'string' },
  'reads-only': { type: 'boolean', default: false },
  'writes-only': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** What callers of the API wait for while the database holds many runs: reads and writes over HTTP, the built API, embedded PostgreSQL. */
export async function serviceBench(flags: readonly string[]): Promise<BenchResult> {
  const values = readFlags(flags, OPTIONS);
  const size: ServiceSize = {
    ...{ runs: wholeNumber('runs', values.runs), metrics: wholeNumber('metrics', values.metrics) },
    ...{ points: wholeNumber('points', values.points), longPoints: wholeNumber('long-points', values['long-points']) },
    loose: values.loose,
  };
  const calls = wholeNumber('calls', values.calls);
  const seconds = wholeNumber('seconds', values.seconds);
  const inFolder = (work: (folder: string) => Promise<BenchResult>) =>
    values.home === undefined ? withFolder(work) : work(values.home);
  return await inFolder((folder) =>
    withPostgres(folder, async (postgres) => {
      const client = await connectPostgres(postgres.superuserUrl(), { applicationName: 'bench', answerMs: 0 });
      const notes = await load(client, size);
      const api = { databaseUrl: postgres.url, home: folder, profiles: values.profiles };
      const table = await withApi(api, async (url, pid) => {
        const started = performance.now();
        await waitUntilPacked(client);
        await settle(client);
        notes.push(`packed in ${((performance.now() - started) / 1000).toFixed(0)} s more`);
        const service = { url, pids: [pid, postgres.pid] };
        const longRun = await findLongRun(client);
        const rows: BenchRow[] = values['writes-only']
          ? []
          : await serviceReads(service, { size, calls, longRun, only: values.only });
        return values['reads-only'] ? rows : [...rows, ...(await serviceWrites(service, client, seconds * 1000))];
      });
      await client.end();
      return { name: 'service', ours: {}, peers: {}, ratios: {}, spread: {}, notes, table };
    }),
  );
}

async function load(client: pg.Client, size: ServiceSize): Promise<string[]> {
  const { rows } = await client.query<{ runs: number }>('SELECT count(*)::int AS runs FROM run');
  const found = rows[0]?.runs ?? 0;
  const points = size.runs * size.metrics * size.points + size.longPoints;
  if (found > 0) return [`the database of an earlier time, with ${found} runs`];
  const started = performance.now();
  await loadServiceData(client, size);
  await settle(client);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const bytes = ((await pointBytes(client)) / points).toFixed(0);
  return [
    `${size.runs} runs, ${size.metrics} metrics each, ${points} points, loaded in ${seconds} s: ${bytes} bytes a point`,
  ];
}

async function findLongRun(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT run_id AS id FROM metric_series WHERE name = $1 ORDER BY point_count DESC LIMIT 1',
    [LONG_METRIC],
  );
  return rows[0]?.id ?? '';
}

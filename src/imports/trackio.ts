import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { looseNumber, looseTimeMs, parseLooseJson } from './looseNumbers.ts';
import { isMarked, nestedMembers } from './nestedMembers.ts';
import { importId, type RunFacts, type SourceItem, type SourceRuns } from './source.ts';
import { openSqlite, type SqliteReader } from './sqlite.ts';

const text = z.union([z.string(), z.instanceof(Uint8Array).transform((bytes) => Buffer.from(bytes).toString('utf8'))]);
const columnRow = z.object({ name: z.string() });
const runRow = z.object({ run: z.string(), name: z.string() });
const pointRow = z.object({ timestamp: text, step: z.number().nullable(), metrics: text });
const configRow = z.object({ config: text, created: text.nullable() });

/**
 * The runs of Trackio: its database of a project, or the folder of all of them.
 * @throws WarrenError BAD_INPUT when there is none.
 */
export async function* trackioRuns(source: string, { project }: { project: string }): SourceRuns {
  if (!existsSync(source)) throw badInput(`${source}: there is no such file or folder`, 'source');
  const isFolder = statSync(source).isDirectory();
  const inside = isFolder
    ? readdirSync(source)
        .filter((name) => name.endsWith('.db'))
        .sort()
    : [];
  const files = isFolder ? inside.map((name) => join(source, name)) : [source];
  if (files.length === 0) throw badInput(`${source}: there is no database (.db) of Trackio's in it`, 'source');
  for (const path of files) yield* databaseRuns(path, project);
}

async function* databaseRuns(path: string, project: string): SourceRuns {
  const database = await openSqlite(path);
  try {
    if (!database.hasTable('metrics')) {
      throw badInput(`${path}: this is no database of Trackio's: it has no table "metrics"`, 'source');
    }
    const columns = [...database.rows(columnRow, 'PRAGMA table_info(metrics)')].map(({ name }) => name);
    // before 0.10 a run was known by its name alone
    const key = columns.includes('run_id') ? 'run_id' : 'run_name';
    const rows = [
      ...database.rows(runRow, `SELECT ${key} AS run, min(run_name) AS name FROM metrics GROUP BY 1 ORDER BY min(id)`),
    ];
    const trackioProject = basename(path).replace(/\.db$/, '');
    for (const { run, name } of rows) {
      const points = [...readPoints(database, { key, run, path })];
      const config = readConfig(database, key, run);
      const environment = { import: { format: 'trackio', run, project: trackioProject } };
      const identity = key === 'run_id' ? [run] : [trackioProject, run, String(config.startedMs)];
      const facts = { ...config, name, environment };
      yield { id: importId('trackio', project, ...identity), label: name, facts, read: () => points };
    }
  } finally {
    database.close();
  }
}

function objectIn(json: string): Record<string, unknown> {
  try {
    const value = parseLooseJson(json);
    return isPlainObject(value) ? value : {};
  } catch {
    return {};
  }
}

function readConfig(database: SqliteReader, key: string, run: string): RunFacts {
  if (!database.hasTable('configs')) return {};
  const sql = `SELECT config, created_at AS created FROM configs WHERE ${key} = ? ORDER BY id`;
  const facts: RunFacts = {};
  for (const { config, created } of database.rows(configRow, sql, [run])) {
    const members = objectIn(config);
    if (typeof members._Username === 'string') facts.user = members._Username;
    facts.parameters = Object.fromEntries(Object.entries(members).filter(([name]) => !name.startsWith('_')));
    const startedMs = looseTimeMs(members._Created ?? created);
    if (startedMs !== null) facts.startedMs = startedMs;
  }
  return facts;
}

function* readPoints(
  database: SqliteReader,
  { key, run, path }: { key: string; run: string; path: string },
): Generator<SourceItem> {
  const series = new Map<string, { steps: number[]; values: number[]; times: number[] }>();
  const left = new Map<string, number>();
  let latestMs = 0;
  const take = (table: string, name: (key: string) => string) => {
    const step = table === 'metrics' ? 'step' : 'NULL AS step';
    const rows = database.rows(
      pointRow,
      `SELECT timestamp, ${step}, metrics FROM ${table} WHERE ${key} = ? ORDER BY id`,
      [run],
    );
    let counted = 0;
    for (const point of rows) {
      const timeMs = looseTimeMs(point.timestamp) ?? latestMs;
      latestMs = Math.max(latestMs, timeMs);
      for (const [member, value] of nestedMembers(objectIn(point.metrics), '', isMarked)) {
        const number = typeof value === 'boolean' ? Number(value) : looseNumber(value);
        if (number === null) {
          left.set(member, (left.get(member) ?? 0) + 1);
          continue;
        }
        const points = series.get(name(member)) ?? { steps: [], values: [], times: [] };
        series.set(name(member), points);
        points.steps.push(point.step ?? counted);
        points.values.push(number);
        points.times.push(timeMs);
      }
      counted++;
    }
  };
  take('metrics', (member) => member);
  if (database.hasTable('system_metrics')) take('system_metrics', (member) => `system/${member}`);
  for (const [name, points] of series) yield { type: 'points', name: name.slice(0, 500), ...points };
  yield { type: 'facts', facts: { endedMs: latestMs } };
  if (left.size === 0) return;
  const names = [...left].map(([name, count]) => `${name} (${count})`).join(', ');
  yield { type: 'warning', text: `${path}: texts and media of ${run} are left out: ${names}` };
}

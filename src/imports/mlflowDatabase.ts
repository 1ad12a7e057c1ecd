import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { columnNumber } from './columnNumber.ts';
import { type ArtifactsPlace, artifactsFolder, type MlflowOptions } from './mlflowArtifacts.ts';
import { tellLeftOut } from './mlflowLeftOut.ts';
import { mlflowFacts, mlflowId, mlflowValue } from './mlflowRun.ts';
import type { SourceItem, SourceRuns } from './source.ts';
import { openSqlite, type SqliteReader } from './sqlite.ts';

const runRow = z.object({
  runId: z.string(),
  name: z.string().nullable(),
  experiment: z.string(),
  status: z.string().nullable(),
  userName: z.string().nullable(),
  startMs: columnNumber.nullable(),
  endMs: columnNumber.nullable(),
  artifacts: z.string().nullable(),
  isDeleted: columnNumber,
});
const modelRow = z.object({ name: z.string() });
const MODELS = 'SELECT name FROM registered_models';
const pairRow = z.object({ key: z.string(), value: z.string().nullable() });
const metricRow = z.object({
  key: z.string(),
  value: columnNumber,
  time: columnNumber,
  step: columnNumber,
  isNan: columnNumber,
});

const TABLES = ['runs', 'experiments', 'metrics', 'params', 'tags'];
const POINTS_AT_ONCE = 4_096;

/**
 * The runs of MLflow's SQLite database, deleted ones only where they are asked for.
 * @throws WarrenError BAD_INPUT when it is no such database, or has no experiment of the name that is asked for.
 */
export async function* mlflowDatabaseRuns(source: string, options: MlflowOptions): SourceRuns {
  const { project, experiment, artifacts: allowed } = options;
  const database = await openSqlite(source);
  const place = { home: dirname(resolve(source)), allowed: allowed ?? null };
  const warned = new Set<string>();
  try {
    const lacking = TABLES.find((table) => !database.hasTable(table));
    if (lacking !== undefined) {
      throw badInput(`${source}: this is no database of MLflow's: it has no table "${lacking}"`, 'source');
    }
    const rows = [...database.rows(runRow, RUNS)];
    const wanted = rows.filter((run) => experiment === undefined || run.experiment === experiment);
    if (wanted.length === 0 && experiment !== undefined) {
      throw badInput(`${source}: there are no runs of an experiment "${experiment}"`, 'source');
    }
    for (const row of wanted) {
      const run = { ...row, isDeleted: row.isDeleted !== 0 };
      if (run.isDeleted && options.deleted !== true) continue;
      const { runId, artifacts } = run;
      const tags = pairs(database, 'tags', runId);
      const name = run.name ?? tags['mlflow.runName'] ?? runId;
      const parameters = pairs(database, 'params', runId);
      const texts = { name, tags, parameters, status: run.status ?? '', userName: run.userName ?? '' };
      const points = [...readPoints(database, runId)];
      yield {
        id: mlflowId(runId, project),
        label: name,
        facts: mlflowFacts({ ...run, ...texts }),
        async *read() {
          yield* points;
          for await (const item of readFiles(artifacts, runId, place)) {
            if (item.type === 'warning' && warned.has(item.text)) continue;
            if (item.type === 'warning') warned.add(item.text);
            yield item;
          }
        },
      };
    }
    const models = database.hasTable('registered_models') ? [...database.rows(modelRow, MODELS)].length : 0;
    const deleted = options.deleted === true ? 0 : wanted.filter(({ isDeleted }) => isDeleted !== 0).length;
    tellLeftOut({ deletedRuns: deleted, registeredModels: models }, options);
  } finally {
    database.close();
  }
}

const RUNS = `SELECT run_uuid AS runId, runs.name, experiments.name AS experiment, status, user_id AS userName,
  start_time AS startMs, end_time AS endMs, artifact_uri AS artifacts,
  coalesce(runs.lifecycle_stage, 'active') <> 'active' AS isDeleted
  FROM runs JOIN experiments USING (experiment_id) ORDER BY start_time, run_uuid`;

function pairs(database: SqliteReader, table: 'tags' | 'params', runId: string): Record<string, string> {
  const rows = [...database.rows(pairRow, `SELECT key, value FROM ${table} WHERE run_uuid = ?`, [runId])];
  return Object.fromEntries(rows.map(({ key, value }) => [key, value ?? '']));
}

function* readPoints(database: SqliteReader, runId: string): Generator<SourceItem> {
  const sql = `SELECT key, value, timestamp AS time, step, is_nan AS isNan FROM metrics WHERE run_uuid = ?
    ORDER BY key, step, timestamp`;
  let series = { name: '', steps: [] as number[], values: [] as number[], times: [] as number[] };
  for (const { key, value, time, step, isNan } of database.rows(metricRow, sql, [runId])) {
    if (key !== series.name || series.steps.length >= POINTS_AT_ONCE) {
      if (series.steps.length > 0) yield { type: 'points', ...series };
      series = { name: key, steps: [], values: [], times: [] };
    }
    series.steps.push(step);
    series.values.push(mlflowValue(value, isNan !== 0));
    series.times.push(time);
  }
  if (series.steps.length > 0) yield { type: 'points', ...series };
}

/** Files that lie on this machine; others stay where they are. */
async function* readFiles(uri: string | null, runId: string, place: ArtifactsPlace): AsyncGenerator<SourceItem> {
  const found = uri === null ? null : artifactsFolder(uri, runId, place);
  if (found === null) return;
  if ('warning' in found) {
    yield { type: 'warning', text: found.warning };
    return;
  }
  const { folder } = found;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (statSync(path).size > 0) yield { type: 'file', name: relative(folder, path).split('\\').join('/'), path };
  }
}

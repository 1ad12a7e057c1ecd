import type pg from 'pg';
import { z } from 'zod';
import { contentTables, copyRowsOut, listTables, quoted, type TableShape } from '#src/base/database/tableCopies.ts';
import { renumberArrivedMessages } from './arrivingMessages.ts';
import { renumberArrivedReports } from './arrivingReports.ts';
import {
  type ChosenParts,
  isOfChosenParts,
  PROJECT_TABLES,
  type ProjectTable,
  TABLES_BESIDE_PARTS,
} from './projectTables.ts';

// The rows of one project, over a connection outside Prisma: for archives of projects.

export interface ProjectRecord {
  id: string;
  name: string;
  description: string;
}

const projectRow = z.object({ id: z.uuid(), name: z.string(), description: z.string() });

/** The project with a name, or null. */
export async function readProject(client: pg.Client, name: string): Promise<ProjectRecord | null> {
  const { rows } = await client.query('SELECT id::text, name, description FROM project WHERE name = $1', [name]);
  return z.array(projectRow).parse(rows)[0] ?? null;
}

/** The tables that an archive has rows of, with their columns; those that newer migrations make may be missing. */
export async function listProjectTables(client: pg.Client, without: readonly string[]): Promise<TableShape[]> {
  const shapes = await listTables(client);
  return PROJECT_TABLES.flatMap(({ name }) =>
    without.includes(name) ? [] : shapes.filter((shape) => shape.name === name),
  );
}

/** Of which project, and whether of its runs' points and artifacts only chosen ones. */
export interface ProjectChoice {
  project: string;
  parts: ChosenParts | null;
}

/** The rows of a project in a table, as COPY writes them. */
export function copyProjectRowsOut(client: pg.Client, { name, columns }: TableShape, choice: ProjectChoice) {
  const table = planOf(name);
  const id = z.uuid().parse(choice.project);
  const changed = table.leaving?.(id) ?? {};
  const values = columns.map((column) => `${changed[column] ?? `row.${quoted(column)}`} AS ${quoted(column)}`);
  return copyRowsOut(
    client,
    `SELECT ${values.join(', ')} FROM ${quoted(name)} row WHERE ${rowsOf(client, table, choice)}`,
  );
}

/** SQL that is true of the rows that are taken of a table. */
function rowsOf(client: pg.Client, table: ProjectTable, { project, parts }: ProjectChoice): string {
  const belongs = table.belongs(z.uuid().parse(project));
  if (parts === null) return belongs;
  return `${belongs} AND ${isOfChosenParts(table.name, parts, (text) => client.escapeLiteral(text))}`;
}

/** Digests of the content that a project's ended runs, and the versions that they made, refer to; each once. */
export async function listProjectContent(client: pg.Client, choice: ProjectChoice): Promise<string[]> {
  const contents = contentTables(await listTables(client))
    .filter((name) => choice.parts === null || !TABLES_BESIDE_PARTS.includes(name))
    .map((name) => `SELECT DISTINCT sha256 FROM ${name} row WHERE ${rowsOf(client, planOf(name), choice)}`);
  const { rows } = await client.query(`${contents.join(' UNION ')} ORDER BY 1`);
  return z
    .array(z.object({ sha256: z.string() }))
    .parse(rows)
    .map(({ sha256 }) => sha256);
}

/** What of a project no archive has, by how many there are. */
export interface LeftBehind {
  /** Runs that have not ended. */
  openRuns: number;
  trashedRuns: number;
  openDecisions: number;
  alertRules: number;
  shareLinks: number;
}

const leftBehindRow = z.object({
  openRuns: z.number(),
  trashedRuns: z.number(),
  openDecisions: z.number(),
  alertRules: z.number(),
  shareLinks: z.number(),
});

/** Counts what of a project stays behind. Links that open nothing any more are not counted. */
export async function countLeftBehind(client: pg.Client, project: string): Promise<LeftBehind> {
  const { rows } = await client.query(
    `SELECT
       (SELECT count(*)::int FROM run WHERE project_id = $1 AND deleted_at IS NULL
         AND state IN ('WAITING', 'QUEUED', 'RUNNING')) AS "openRuns",
       (SELECT count(*)::int FROM run WHERE project_id = $1 AND deleted_at IS NOT NULL) AS "trashedRuns",
       (SELECT count(*)::int FROM decision WHERE project_id = $1 AND ended_at IS NULL) AS "openDecisions",
       (SELECT count(*)::int FROM alert_rule WHERE project_id = $1) AS "alertRules",
       (SELECT count(*)::int FROM share_link WHERE project_id = $1 AND withdrawn_at IS NULL
         AND (expires_at IS NULL OR expires_at > now())) AS "shareLinks"`,
    [project],
  );
  return leftBehindRow.parse(rows[0]);
}

/** The name of the schema that queries without one go to. */
export async function currentSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query('SELECT current_schema()::text AS name');
  return z.object({ name: z.string() }).parse(rows[0]).name;
}

/** Makes an empty schema for rows that arrive, which goes with the transaction unless it is removed before. */
export async function openArrivals(client: pg.Client, schema: string): Promise<void> {
  await client.query(`CREATE SCHEMA ${quoted(schema)}`);
  await client.query(`SET LOCAL search_path = ${quoted(schema)}`);
}

export interface Arrivals {
  /** Where the rows are. */
  schema: string;
  /** Where they go. */
  home: string;
  /** Its archive's own project where that is here, unless another one was named. */
  project: ProjectRecord & { isNamed: boolean };
}

const configurationRow = z.object({
  hash: z.string(),
  kind: z.string(),
  kindVersion: z.number(),
  dataset: z.unknown(),
  parameters: z.record(z.string(), z.unknown()),
});

/** The configurations of the archive, once its rows are in the current schema. */
export async function listArrivingConfigurations(client: pg.Client): Promise<z.infer<typeof configurationRow>[]> {
  const { rows } = await client.query(
    'SELECT hash, kind, kind_version AS "kindVersion", dataset, parameters FROM configuration',
  );
  return z.array(configurationRow).parse(rows);
}

/** A name among the files of the archive that leads out of the folder where somebody keeps them; null where all are well. */
export async function findStrayFileName(client: pg.Client): Promise<string | null> {
  // parts that are empty, "." or "..", backslashes, control characters
  const stray = String.raw`(^|/)\.{0,2}(/|$)|[\\[:cntrl:]]`;
  const { rows } = await client.query(
    `SELECT name FROM (SELECT name FROM artifact UNION ALL SELECT path FROM registry_file) AS file WHERE name ~ $1 LIMIT 1`,
    [stray],
  );
  return z.array(z.object({ name: z.string() })).parse(rows)[0]?.name ?? null;
}

/** Runs of an archive that were here before. */
export interface KnownRuns {
  /** The project that they are in here. */
  project: string;
  runs: number;
  /** How many of them are in the trash. */
  inTrash: number;
}

const knownRunsRow = z.object({ project: z.string(), runs: z.number(), inTrash: z.number() });

/** Where runs of the archive are here already, by project; its rows are in the current schema. */
export async function listKnownRuns(client: pg.Client, home: string): Promise<KnownRuns[]> {
  const here = quoted(home);
  const { rows } = await client.query(
    `SELECT project.name AS project, count(*)::int AS runs, count(known.deleted_at)::int AS "inTrash"
     FROM run JOIN ${here}.run known USING (id) JOIN ${here}.project project ON project.id = known.project_id
     GROUP BY project.name ORDER BY 2 DESC, 1`,
  );
  return z.array(knownRunsRow).parse(rows);
}

/** What may come, as SQL: an open run would be executed here. */
const ARRIVES = {
  run: "state NOT IN ('WAITING', 'QUEUED', 'RUNNING')",
  sweep: 'true',
  decision: 'ended_at IS NOT NULL',
  report: 'true',
};

/**
 * Takes rows of an archive into the project, but for runs, sweeps, decisions and reports that are here by their ids: these stay
 * as they are. A project is found by its id, else by its name, else made. Resolves to what came, by table.
 */
export async function takeArrivals(client: pg.Client, arrivals: Arrivals): Promise<Record<string, number>> {
  const { schema, home, project } = arrivals;
  const here = quoted(home);
  await client.query(`SET LOCAL search_path = ${quoted(schema)}`);
  for (const [name, ended] of Object.entries(ARRIVES)) {
    await client.query(
      `CREATE TABLE arriving_${name} AS
       SELECT id FROM ${name} WHERE id NOT IN (SELECT id FROM ${here}.${name}) AND ${ended}`,
    );
    await client.query(`ALTER TABLE arriving_${name} ADD PRIMARY KEY (id)`);
  }
  await client.query(
    `INSERT INTO ${here}.project (id, name, description)
     SELECT CASE WHEN known THEN gen_random_uuid() ELSE $1::uuid END, $2, $3
     FROM (SELECT EXISTS (SELECT FROM ${here}.project WHERE id = $1::uuid) AS known) here
     WHERE $4::boolean OR NOT known ON CONFLICT (name) DO NOTHING`,
    [project.id, project.name, project.description, project.isNamed],
  );
  await client.query(
    `SELECT set_config('warren.arriving_project', (
       SELECT id::text FROM ${here}.project WHERE name = $2 OR NOT $3::boolean AND id = $1::uuid
       ORDER BY id <> $1::uuid LIMIT 1), true)`,
    [project.id, project.name, project.isNamed],
  );
  const counts: Record<string, number> = {};
  const shapes = await listTables(client);
  const enums = await listEnumColumns(client, schema);
  for (const table of PROJECT_TABLES) {
    const shape = shapes.find(({ name }) => name === table.name);
    if (shape === undefined) continue;
    counts[table.name] = await takeTable(client, { table, shape, home, enums });
    if (table.name === 'metric_series') await matchSeries(client, home);
  }
  await renumberArrivedReports(client, home);
  await renumberArrivedMessages(client, home);
  await client.query(`SET LOCAL search_path = ${here}`);
  await client.query(`DROP SCHEMA ${quoted(schema)} CASCADE`);
  return counts;
}

interface Taking {
  table: ProjectTable;
  shape: TableShape;
  home: string;
  enums: ReadonlyMap<string, string>;
}

async function takeTable(client: pg.Client, { table, shape, home, enums }: Taking): Promise<number> {
  const changed = table.arriving?.(home) ?? {};
  const columns = shape.columns.filter((column) => !(table.made ?? []).includes(column));
  const values = columns.map((column) => {
    const value = changed[column] ?? `row.${quoted(column)}`;
    const type = enums.get(`${table.name}.${column}`);
    return type === undefined ? value : `(${value})::text::${quoted(home)}.${quoted(type)}`;
  });
  const order = table.order === undefined ? '' : `ORDER BY row.${quoted(table.order)}`;
  const { rowCount } = await client.query(
    `INSERT INTO ${quoted(home)}.${quoted(table.name)} (${columns.map(quoted).join(', ')})
     SELECT ${values.join(', ')} FROM ${quoted(table.name)} row WHERE ${table.arrives} ${order} ON CONFLICT DO NOTHING`,
  );
  return rowCount ?? 0;
}

/** Which series here is which of the archive: their ids differ. */
async function matchSeries(client: pg.Client, home: string): Promise<void> {
  await client.query(
    `CREATE TABLE arriving_series AS SELECT source.id AS source_id, target.id FROM metric_series source
     JOIN ${quoted(home)}.metric_series target USING (run_id, name)
     WHERE source.run_id IN (SELECT id FROM arriving_run)`,
  );
  await client.query('ALTER TABLE arriving_series ADD PRIMARY KEY (source_id)');
  await client.query('ANALYZE arriving_series');
}

/** The types of columns that have one of their schema's own, by `table.column`. */
async function listEnumColumns(client: pg.Client, schema: string): Promise<Map<string, string>> {
  const { rows } = await client.query(
    `SELECT class.relname || '.' || attname AS column, type.typname AS type FROM pg_attribute
     JOIN pg_class class ON class.oid = attrelid JOIN pg_type type ON type.oid = atttypid
     WHERE class.relnamespace = $1::regnamespace AND class.relkind = 'r' AND type.typtype = 'e' AND attnum > 0
       AND NOT attisdropped`,
    [quoted(schema)],
  );
  const parsed = z.array(z.object({ column: z.string(), type: z.string() })).parse(rows);
  return new Map(parsed.map(({ column, type }) => [column, type]));
}

function planOf(name: string): ProjectTable {
  const table = PROJECT_TABLES.find((one) => one.name === name);
  if (table === undefined) throw new Error(`${name} is not a table of project archives`);
  return table;
}

import { createHash } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { type LockPatience, withLockTimeout } from './lockTimeout.ts';

// Who may see some projects alone, or the runs of one link, asks over connections on which every table's name means a view of
// it, in a schema that stands before the tables' own. So every query of Warren is held to what the caller may see, also one
// that does not think of it. What no rule below knows is empty there.

/** What some callers see: rows of some projects, or of the runs that a link shows. */
export const SCOPED_SCHEMAS = { projects: 'warren_projects', share: 'warren_share' } as const;
export type ScopeKind = keyof typeof SCOPED_SCHEMAS;

/** Settings of a connection that say which. */
export const SCOPE_SETTING = { projects: 'warren.projects', share: 'warren.share' } as const;

interface Rules {
  /** SQL that is true of ids of projects and of runs that are seen. */
  project(id: string): string;
  run(id: string): string;
  /** Tables of a project beside its runs. */
  ofProject: boolean;
}

const PROJECTS = `current_setting('${SCOPE_SETTING.projects}', true)::uuid[]`;
const LINK = `nullif(current_setting('${SCOPE_SETTING.share}', true), '')::uuid`;

/** SQL that is true of the id of the report that a link shows, of which the newest version is seen. */
const SHARED_REPORT = (id: string): string =>
  `EXISTS (SELECT FROM public.share_link s WHERE s.id = ${LINK} AND s.kind = 'report' AND s.target->>'id' = ${id}::text)`;

const RULES: Readonly<Record<ScopeKind, Rules>> = {
  projects: {
    project: (id) => `${id} = ANY (${PROJECTS})`,
    run: (id) => `EXISTS (SELECT FROM public.run r WHERE r.id = ${id} AND r.project_id = ANY (${PROJECTS}))`,
    ofProject: true,
  },
  share: {
    project: (id) => `(EXISTS (SELECT FROM public.share_link_run s JOIN public.run r ON r.id = s.run_id
      WHERE s.share_link_id = ${LINK} AND r.project_id = ${id})
      OR EXISTS (SELECT FROM public.share_link s WHERE s.id = ${LINK} AND s.kind = 'report' AND s.project_id = ${id}))`,
    run: (id) => `EXISTS (SELECT FROM public.share_link_run s WHERE s.share_link_id = ${LINK} AND s.run_id = ${id})`,
    ofProject: false,
  },
};

/** Points are found by the ids of their series, which nobody gives: these tables stay as they are, and so do their row types. */
const BELOW_SERIES: ReadonlySet<string> = new Set(['metric_point', 'metric_block', 'metric_repeat']);
/** Of the server, with nothing of any project: what workers are there, what is paused, which content is to be looked at. */
const OPEN: ReadonlySet<string> = new Set(['worker', 'queue_pause', 'program_listener', 'unsettled_content']);
/** Of projects, and nobody's business but the server's. */
const CLOSED: ReadonlySet<string> = new Set(['share_link', 'share_link_run', 'access_grant', 'registry_webhook']);
/**
 * Whose rows are there before what makes them seen: contents named by their hash, messages on their way out; and what reports
 * show of projects that who saves them may read, not change.
 */
const CHECKED_BY_RUNS: ReadonlySet<string> = new Set([
  ...['configuration', 'dataset', 'outgoing_message', 'alert_message', 'report_pin'],
]);

/** SQL that is true of the rows `t` of a table that are seen; null where all are. */
function visible(table: string, columns: ReadonlySet<string>, { project, run, ofProject }: Rules): string | null {
  if (OPEN.has(table)) return ofProject ? null : 'false';
  if (table === 'project') return project('t.id');
  if (table === 'run') return ofProject ? project('t.project_id') : `${run('t.id')} AND t.deleted_at IS NULL`;
  if (table === 'configuration') {
    return `EXISTS (SELECT FROM public.run u WHERE u.configuration_hash = t.hash AND ${run('u.id')})`;
  }
  if (table === 'dataset') {
    return `EXISTS (SELECT FROM public.configuration c JOIN public.run u ON u.configuration_hash = c.hash
      WHERE c.dataset_name = t.name AND ${run('u.id')})`;
  }
  if (table === 'report' && !ofProject) return `${SHARED_REPORT('t.id')} AND t.deleted_at IS NULL`;
  if (table === 'report_version' && !ofProject) {
    return `${SHARED_REPORT('t.report_id')}
      AND t.version = (SELECT max(v.version) FROM public.report_version v WHERE v.report_id = t.report_id)`;
  }
  if (CLOSED.has(table)) return 'false';
  if (columns.has('project_id') && ofProject) return project('t.project_id');
  // before their runs, which some of them have not yet
  if (columns.has('sweep_id')) {
    return ofProject
      ? `EXISTS (SELECT FROM public.sweep s WHERE s.id = t.sweep_id AND ${project('s.project_id')})`
      : 'false';
  }
  if (table === 'artifact' && !ofProject) return `${run('t.run_id')} AND (t.role <> 'code' OR ${SHOWS_PROGRAM})`;
  if (columns.has('run_id')) return run('t.run_id');
  if (!ofProject) return 'false';
  if (table === 'alert_message')
    return `EXISTS (SELECT FROM public.alert a WHERE a.id = t.alert_id AND ${project('a.project_id')})`;
  if (table === 'outgoing_message') {
    return `EXISTS (SELECT FROM public.alert_message m JOIN public.alert a ON a.id = m.alert_id
      WHERE m.message_id = t.id AND ${project('a.project_id')})`;
  }
  if (table === 'registry_entry') {
    const version = `SELECT FROM public.registry_version v WHERE v.entry_id = t.id AND ${run('v.run_id')}`;
    // a database that is being migrated may not have it yet
    if (!columns.has('born_in')) return `EXISTS (${version})`;
    return `(cardinality(t.born_in) > 0 AND t.born_in <@ ${PROJECTS} OR EXISTS (${version}))`;
  }
  if (columns.has('version_id')) {
    return `EXISTS (SELECT FROM public.registry_version v WHERE v.id = t.version_id AND ${run('v.run_id')})`;
  }
  if (table === 'report_version') {
    return `EXISTS (SELECT FROM public.report r WHERE r.id = t.report_id AND ${project('r.project_id')})`;
  }
  if (columns.has('decision_id')) {
    return `EXISTS (SELECT FROM public.decision d WHERE d.id = t.decision_id AND ${project('d.project_id')})`;
  }
  return 'false';
}

/** Of the project of a run that is shared its name is seen, not what it is about. */
const PROJECT_SHARED: Readonly<Record<string, string>> = {
  description: `''::text`,
  tags: `'{}'::jsonb`,
  artifact_location: 'NULL::text',
};

/** Whether a link shows what programs are and where they ran. */
const SHOWS_PROGRAM = `EXISTS (SELECT FROM public.share_link s WHERE s.id = ${LINK} AND to_jsonb(s) @> '{"with_program": true}')`;
/** What a run records of itself that says nothing of its program, host and user. */
const ENVIRONMENT_SHARED = [
  ...['config', 'seed', 'fingerprint', 'timings', 'backend', 'device', 'backendReason', 'arithmetic'],
  ...['peakRssMb', 'peakTensorBytes', 'kindVersion'],
];
/** What others see of columns who were sent a link that shows no program. */
const PROGRAM_SHARED: Readonly<Record<string, string>> = {
  'run.environment': `(SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(t.environment)
    WHERE key = ANY ('{${ENVIRONMENT_SHARED.join(',')}}'::text[]))`,
  'configuration.parameters': `CASE WHEN t.kind = 'command'
    THEN t.parameters || '{"command": ["…"], "code": null, "folder": ""}' ELSE t.parameters END`,
};

/** Who made a run or started a sweep, often an address, is no business of those who were sent a link. */
const MAKER = 'user_name';

function shown(kind: ScopeKind, table: string, column: string): string {
  if (kind === 'share' && column === MAKER) return `NULL::text AS "${column}"`;
  const program = kind === 'share' ? PROGRAM_SHARED[`${table}.${column}`] : undefined;
  if (program !== undefined) {
    return `CASE WHEN ${SHOWS_PROGRAM} THEN t."${column}" ELSE ${program} END AS "${column}"`;
  }
  const instead = kind === 'share' && table === 'project' ? PROJECT_SHARED[column] : undefined;
  return instead === undefined ? `t."${column}"` : `${instead} AS "${column}"`;
}

const columnsSchema = z.array(z.object({ name: z.string(), columns: z.array(z.string()) }));

/** The statements that make the views, for the tables that are there. */
async function statements(client: pg.Client): Promise<string[]> {
  const tables = columnsSchema.parse(
    (
      await client.query(`
        SELECT class.relname AS name, json_agg(attname ORDER BY attnum) AS columns
        FROM pg_class class JOIN pg_attribute ON attrelid = class.oid AND attnum > 0 AND NOT attisdropped
        WHERE class.relkind IN ('r', 'p') AND class.relnamespace = 'public'::regnamespace
        GROUP BY class.relname ORDER BY class.relname`)
    ).rows,
  );
  if (!tables.some(({ name }) => name === 'share_link_run')) return [];
  const made: string[] = [];
  for (const [kind, schema] of [
    ['projects', SCOPED_SCHEMAS.projects],
    ['share', SCOPED_SCHEMAS.share],
  ] as const) {
    made.push(`CREATE SCHEMA ${schema}`);
    for (const { name, columns } of tables) {
      if (BELOW_SERIES.has(name) || name.startsWith('_')) continue;
      const rule = visible(name, new Set(columns), RULES[kind]);
      const list = columns.map((column) => shown(kind, name, column)).join(', ');
      const where = rule === null ? '' : ` WHERE ${rule}`;
      const check = rule === null || CHECKED_BY_RUNS.has(name) ? '' : ' WITH LOCAL CHECK OPTION';
      made.push(`CREATE VIEW ${schema}."${name}" AS SELECT ${list} FROM public."${name}" t${where}${check}`);
    }
  }
  return made;
}

/** Whether the views are there, from which a running server may read. */
export async function hasScopedViews(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT to_regnamespace('${SCOPED_SCHEMAS.projects}') IS NOT NULL AS present`);
  return rows[0]?.present === true;
}

/** Takes the views away, so that the tables can change. For within the transaction that makes them anew. */
export async function dropScopedViews(client: pg.Client): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${Object.values(SCOPED_SCHEMAS).join(', ')} CASCADE`);
}

/** Makes the views of the tables as they are. For within a transaction. */
export async function createScopedViews(client: pg.Client): Promise<void> {
  const made = await statements(client);
  if (made.length === 0) return;
  await client.query([...made, ...Object.values(SCOPED_SCHEMAS).map((name) => marked(name, made))].join(';\n'));
}

/**
 * Makes the views anew where they are not those of the tables. For a session that keeps other migrations out.
 * @throws WarrenError UNAVAILABLE where somebody reads through one of them for longer than the patience.
 */
export async function refreshScopedViews(client: pg.Client, patience: LockPatience): Promise<void> {
  const made = await statements(client);
  const expected = made.filter((statement) => statement.startsWith('CREATE VIEW')).length;
  const { rows } = await client.query(
    `SELECT count(*)::int AS views, min(obj_description(space.oid, 'pg_namespace')) AS mark
     FROM pg_class JOIN pg_namespace space ON space.oid = relnamespace WHERE relkind = 'v' AND nspname = ANY ($1)`,
    [Object.values(SCOPED_SCHEMAS)],
  );
  if (rows[0]?.views === expected && rows[0]?.mark === markOf(made)) return;
  await withLockTimeout(client, patience, 'making the views of scoped tokens', async () => {
    await dropScopedViews(client);
    await createScopedViews(client);
  });
}

function markOf(made: readonly string[]): string {
  return createHash('sha256').update(made.join('\n')).digest('hex');
}

function marked(schema: string, made: readonly string[]): string {
  return `COMMENT ON SCHEMA ${schema} IS '${markOf(made)}'`;
}

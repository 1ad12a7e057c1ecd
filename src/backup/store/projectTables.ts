import type { OptionalPart } from '#src/base/contracts/optionalParts.ts';
import { LONGEST_REPORT } from '#src/base/contracts/report/readReport.ts';

/** A table with rows of projects: which of them an archive takes, and how they come into another database. */
export interface ProjectTable {
  name: string;
  /** SQL that is true of the rows `row` of a project, given its id. */
  belongs(project: string): string;
  /** Columns whose values the other database makes itself. */
  made?: readonly string[];
  /** SQL of values that are changed on the way out, by column: what they refer to stays behind. */
  leaving?: (project: string) => Readonly<Record<string, string>>;
  /** SQL of values that are changed on the way in. `here` is the schema that they come to. */
  arriving?: (here: string) => Readonly<Record<string, string>>;
  /** SQL that is true of the rows that come in: those of runs, sweeps, decisions and reports which are not there yet. */
  arrives: string;
  /** The column in whose order new numbers are given. */
  order?: string;
}

/** The tables that each part is. A series keeps its last and best value without its points. */
export const TABLES_OF_PART: Readonly<Record<OptionalPart, readonly string[]>> = {
  artifacts: ['artifact', 'media', 'registry_file'],
  logs: ['log_line'],
  points: ['metric_block', 'metric_point', 'metric_repeat'],
};

/** Parts of runs, each by the configuration of the run and the part's own name. */
export interface ChosenParts {
  /** Metrics whose points are taken. */
  curves: readonly NamedPart[];
  artifacts: readonly NamedPart[];
}

export interface NamedPart {
  configurationHash: string;
  name: string;
}

/** The tables that an archive of chosen parts does without. */
export const TABLES_BESIDE_PARTS: readonly string[] = ['log_line', 'media', 'registry_file'];

/** SQL that is true of the rows `row` of a table that are of chosen parts; `literal` makes a text a literal of SQL. */
export function isOfChosenParts(
  table: string,
  { curves, artifacts }: ChosenParts,
  literal: (text: string) => string,
): string {
  const chosen = (parts: readonly NamedPart[], run: string, name: string) => `EXISTS (
    SELECT FROM run JOIN jsonb_to_recordset(${literal(JSON.stringify(parts))}::jsonb) part("configurationHash" text, name text)
      ON part."configurationHash" = run.configuration_hash WHERE run.id = ${run} AND part.name = ${name})`;
  if (table === 'artifact') return chosen(artifacts, 'row.run_id', 'row.name');
  if (!TABLES_OF_PART.points.includes(table)) return 'true';
  return `row.series_id IN (SELECT series.id FROM metric_series series WHERE ${chosen(curves, 'series.run_id', 'series.name')})`;
}

const endedRuns = (project: string): string =>
  `(SELECT id FROM run WHERE project_id = '${project}' AND deleted_at IS NULL
    AND state NOT IN ('WAITING', 'QUEUED', 'RUNNING'))`;
const endedDecisions = (project: string): string =>
  `(SELECT id FROM decision WHERE project_id = '${project}' AND ended_at IS NOT NULL)`;
const sweepsOf = (project: string): string => `(SELECT id FROM sweep WHERE project_id = '${project}')`;

const ofRuns = (name: string, made: readonly string[] = []): ProjectTable => ({
  name,
  made,
  belongs: (project) => `row.run_id IN ${endedRuns(project)}`,
  arrives: 'row.run_id IN (SELECT id FROM arriving_run)',
});

const ofSeries = (name: string): ProjectTable => ({
  name,
  belongs: (project) =>
    `row.series_id IN (SELECT series.id FROM metric_series series WHERE series.run_id IN ${endedRuns(project)})`,
  arriving: () => ({
    series_id: '(SELECT series.id FROM arriving_series series WHERE series.source_id = row.series_id)',
  }),
  arrives: 'row.series_id IN (SELECT source_id FROM arriving_series)',
});

const ofSweeps = (name: string): ProjectTable => ({
  name,
  belongs: (project) => `row.sweep_id IN ${sweepsOf(project)}`,
  arrives: 'row.sweep_id IN (SELECT id FROM arriving_sweep)',
});

const versionsOf = (project: string): string =>
  `(SELECT id FROM registry_version WHERE run_id IN ${endedRuns(project)})`;
const ARRIVING_VERSIONS = '(SELECT id FROM registry_version WHERE run_id IN (SELECT id FROM arriving_run))';
/** The entry here that has the name of the one that a row refers to. */
const entryHere = (here: string): string => `(SELECT target.id FROM "${here}".registry_entry target
  JOIN registry_entry source ON source.name = target.name WHERE source.id = row.entry_id)`;

/** No report is saved with more: it would not be shown. */
const READABLE_TEXT = `length(text) <= ${LONGEST_REPORT}`;

const ofReports = (project: string): string =>
  `row.report_id IN (SELECT id FROM report WHERE project_id = '${project}')`;

const PROJECT_HERE = "current_setting('warren.arriving_project')::uuid";

/** The tables of a project's archive; each comes after those that it refers to. */
export const PROJECT_TABLES: readonly ProjectTable[] = [
  { name: 'project', belongs: (project) => `row.id = '${project}'`, arrives: 'false' },
  {
    name: 'configuration',
    belongs: (project) => `row.hash IN (SELECT configuration_hash FROM run WHERE id IN ${endedRuns(project)})`,
    arrives: 'true',
  },
  {
    name: 'sweep',
    made: ['number'],
    belongs: (project) => `row.project_id = '${project}'`,
    arriving: () => ({
      project_id: PROJECT_HERE,
      // Else its controller would go on drawing trials in two places.
      state: "CASE row.state::text WHEN 'RUNNING' THEN 'PAUSED' ELSE row.state::text END",
      reason: "CASE row.state::text WHEN 'RUNNING' THEN 'it was exported while it ran' ELSE row.reason END",
    }),
    arrives: 'row.id IN (SELECT id FROM arriving_sweep)',
    order: 'number',
  },
  {
    name: 'run_view',
    made: ['number'],
    belongs: (project) => `row.project_id = '${project}'`,
    arriving: (here) => ({
      project_id: PROJECT_HERE,
      is_default: `row.is_default AND NOT EXISTS (
        SELECT FROM "${here}".run_view WHERE project_id = ${PROJECT_HERE} AND is_default)`,
    }),
    // Of two with one name the one that is here stays.
    arrives: 'true',
    order: 'number',
  },
  ofSweeps('sweep_trial'),
  ofSweeps('sweep_rung'),
  ofSweeps('sweep_confirmation'),
  {
    name: 'run',
    made: ['number'],
    belongs: (project) => `row.id IN ${endedRuns(project)}`,
    leaving: (project) => ({
      worker_id: 'NULL::uuid',
      forked_from_id: `CASE WHEN row.forked_from_id IN ${endedRuns(project)} THEN row.forked_from_id END`,
    }),
    arriving: () => ({ project_id: PROJECT_HERE, worker_id: 'NULL::uuid' }),
    arrives: 'row.id IN (SELECT id FROM arriving_run)',
    order: 'number',
  },
  {
    ...ofRuns('attempt'),
    leaving: () => ({ worker_id: 'NULL::uuid', token_hash: 'NULL::text' }),
    arriving: () => ({ worker_id: 'NULL::uuid', token_hash: 'NULL::text' }),
  },
  {
    ...ofRuns('run_input'),
    belongs: (project) => `row.run_id IN ${endedRuns(project)} AND row.source_run_id IN ${endedRuns(project)}`,
  },
  ofRuns('metric_series', ['id']),
  ofSeries('metric_block'),
  ofSeries('metric_point'),
  ofSeries('metric_repeat'),
  ofRuns('dataset_input', ['id']),
  ofRuns('metric_definition'),
  ofRuns('log_line'),
  ofRuns('artifact'),
  ofRuns('media'),
  ofRuns('run_event', ['id']),
  {
    name: 'registry_entry',
    belongs: (project) => `row.id IN (SELECT entry_id FROM registry_version WHERE id IN ${versionsOf(project)})`,
    leaving: () => ({ born_in: "'{}'::uuid[]" }),
    arriving: () => ({ born_in: `ARRAY[${PROJECT_HERE}]` }),
    // Of two with one name the one that is here stays, and gets the versions of both.
    arrives: `row.id IN (SELECT entry_id FROM registry_version WHERE id IN ${ARRIVING_VERSIONS})`,
  },
  {
    name: 'registry_version',
    belongs: (project) => `row.run_id IN ${endedRuns(project)}`,
    arriving: (here) => ({
      entry_id: entryHere(here),
      // An entry that has versions here gives them the next numbers, none of one that was deleted.
      number: `coalesce((SELECT greatest(max(known.number), max(owner.last_version)) FROM "${here}".registry_version known
          JOIN "${here}".registry_entry owner ON owner.id = known.entry_id
          WHERE known.entry_id = ${entryHere(here)}) + row_number() OVER (PARTITION BY row.entry_id ORDER BY row.number),
        row.number)::int`,
    }),
    arrives: 'row.run_id IN (SELECT id FROM arriving_run)',
  },
  {
    name: 'registry_file',
    belongs: (project) => `row.version_id IN ${versionsOf(project)}`,
    arrives: `row.version_id IN ${ARRIVING_VERSIONS}`,
  },
  {
    name: 'registry_alias',
    belongs: (project) => `row.version_id IN ${versionsOf(project)}`,
    // An alias that is here stays where it points.
    arriving: (here) => ({ entry_id: entryHere(here) }),
    arrives: `row.version_id IN ${ARRIVING_VERSIONS}`,
  },
  {
    name: 'registry_use',
    belongs: (project) => `row.run_id IN ${endedRuns(project)} AND row.version_id IN ${versionsOf(project)}`,
    arrives: `row.run_id IN (SELECT id FROM arriving_run) AND row.version_id IN ${ARRIVING_VERSIONS}`,
  },
  {
    name: 'decision',
    made: ['number'],
    belongs: (project) => `row.id IN ${endedDecisions(project)}`,
    arriving: () => ({ project_id: PROJECT_HERE }),
    arrives: 'row.id IN (SELECT id FROM arriving_decision)',
    order: 'number',
  },
  {
    name: 'decision_pair',
    belongs: (project) => `row.decision_id IN ${endedDecisions(project)}`,
    leaving: (project) => ({
      run_a_id: `CASE WHEN row.run_a_id IN ${endedRuns(project)} THEN row.run_a_id END`,
      run_b_id: `CASE WHEN row.run_b_id IN ${endedRuns(project)} THEN row.run_b_id END`,
    }),
    arrives: 'row.decision_id IN (SELECT id FROM arriving_decision)',
  },
  {
    name: 'report',
    made: ['number'],
    belongs: (project) => `row.project_id = '${project}'`,
    arriving: () => ({ project_id: PROJECT_HERE }),
    arrives: `row.id IN (SELECT id FROM arriving_report)
      AND EXISTS (SELECT FROM report_version WHERE report_id = row.id AND ${READABLE_TEXT})`,
    order: 'number',
  },
  {
    name: 'report_version',
    belongs: ofReports,
    arrives: `row.report_id IN (SELECT id FROM arriving_report) AND ${READABLE_TEXT}`,
  },
  {
    name: 'report_pin',
    // Of other projects' runs an archive says nothing.
    belongs: (project) => `row.project_id = '${project}' AND ${ofReports(project)}`,
    arriving: (here) => ({
      project_id: PROJECT_HERE,
      // A run that is not here has no number here.
      numbers: `(SELECT coalesce(array_agg(known.number ORDER BY pin.place), '{}')
        FROM unnest(row.run_ids) WITH ORDINALITY pin(id, place)
        LEFT JOIN "${here}".run known ON known.id = pin.id AND known.project_id = ${PROJECT_HERE})`,
    }),
    arrives: `EXISTS (SELECT FROM report_version saved WHERE saved.report_id = row.report_id
      AND saved.version = row.version AND length(saved.text) <= ${LONGEST_REPORT})
      AND row.report_id IN (SELECT id FROM arriving_report)`,
  },
];

/** Tables that no archive of a project has, and why. A test compares both lists with the database. */
export const TABLES_LEFT_BEHIND: Readonly<Record<string, string>> = {
  alert: 'tells people of this server',
  alert_message: 'tells people of this server',
  alert_rule: 'holds addresses and a secret of this server',
  access_grant: 'of the server',
  api_token: 'of the server',
  app_user: 'of the server',
  audit_entry: 'of the server',
  database_identity: 'of the server',
  dataset: 'made by the next run on that data',
  outgoing_message: 'on its way from this server',
  program_listener: 'of the server',
  queue_pause: 'of the server',
  registry_webhook: 'holds an address and a secret of this server',
  share_link: 'of the server',
  share_link_run: 'of the server',
  unsettled_content: 'of the artifact store',
  user_session: 'of the server',
  worker: 'of the server',
};

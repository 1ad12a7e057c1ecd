import { pathVariants } from '#src/base/contracts/runFilter/fields.ts';
import type {
  JsonField,
  LoggedTextField,
  MetricField,
  NumberField,
  TextField,
  TimeField,
} from '#src/base/contracts/runFilter/syntax.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { loggedTextSql } from '#src/media/store/lastTexts.ts';
import { standingValueSql } from './standingValueSql.ts';

type Sql = Prisma.Sql;

const TEXTS: Readonly<Record<TextField['name'], Sql>> = {
  kind: Prisma.sql`configuration.kind`,
  preset: Prisma.sql`run.preset`,
  dataset: Prisma.sql`configuration.dataset_name`,
  configuration: Prisma.sql`run.configuration_hash`,
  name: Prisma.sql`run.name`,
  project: Prisma.sql`(SELECT project.name FROM project WHERE project.id = run.project_id)`,
  id: Prisma.sql`run.id::text`,
  worker: Prisma.sql`(SELECT worker.name FROM worker WHERE worker.id = run.worker_id)`,
  user: Prisma.sql`nullif(run.user_name, '')`,
  notes: Prisma.sql`run.notes`,
  error: Prisma.sql`run.error_message`,
  errorCode: Prisma.sql`run.error_code`,
};

const NUMBERS: Readonly<Record<NumberField['name'], Sql>> = {
  number: Prisma.sql`run.number::float8`,
  seed: Prisma.sql`run.seed::float8`,
  priority: Prisma.sql`run.priority::float8`,
  attempt: Prisma.sql`run.attempt::float8`,
  duration: Prisma.sql`extract(epoch FROM coalesce(run.ended_at, now()) - run.started_at)::float8`,
  progress: Prisma.sql`run.progress`,
  sweep: Prisma.sql`(SELECT sweep.number FROM sweep WHERE sweep.id = run.sweep_id)::float8`,
  trial: Prisma.sql`run.sweep_trial::float8`,
};

const TIMES: Readonly<Record<TimeField['name'], Sql>> = {
  created: Prisma.sql`run.created_at`,
  started: Prisma.sql`run.started_at`,
  ended: Prisma.sql`run.ended_at`,
};

/** A text of a run, compared by code points; NULL where there is none. */
export function textSql(field: TextField | LoggedTextField): Sql {
  return Prisma.sql`${patternTextSql(field)} COLLATE "C"`;
}

/** As `textSql`, in the database's own collation, which knows the cases of all letters: for patterns. */
export function patternTextSql(field: TextField | LoggedTextField): Sql {
  return field.type === 'text' ? TEXTS[field.name] : loggedTextSql(Prisma.sql`run.id`, databaseText(field.name));
}

/** A number of a run as float8; NULL where there is none. */
export function numberSql(field: NumberField): Sql {
  return NUMBERS[field.name];
}

/** A point in time of a run; NULL where there is none. */
export function timeSql(field: TimeField): Sql {
  return TIMES[field.name];
}

/** A value of `series`, a row of `metric_series`. */
export function metricSql(field: MetricField): Sql {
  switch (field.summary) {
    case 'last':
      return standingValueSql(field.name);
    case 'minimum':
      return Prisma.sql`series.minimum`;
    case 'maximum':
      return Prisma.sql`series.maximum`;
  }
}

/**
 * Whether the runs of a configuration may differ in their parameters: commands, which alone have needs, were queued with some, to which
 * their programs add.
 */
export const MAY_ADD_PARAMETERS = Prisma.sql`run.needs IS NOT NULL`;

/** What was queued goes over what the program says. */
const PARAMETERS = Prisma.sql`(CASE WHEN ${MAY_ADD_PARAMETERS}
  THEN coalesce(run.environment -> 'config', '{}') || configuration.parameters ELSE configuration.parameters END)`;

const ROOTS: Readonly<Record<JsonField['root'], Sql>> = {
  parameters: PARAMETERS,
  dataset: Prisma.sql`configuration.dataset`,
  environment: Prisma.sql`run.environment`,
};

/** A value inside JSON as jsonb, under its key as written or in camelCase; NULL where there is none. */
export function jsonSql(field: JsonField): Sql {
  const found = pathVariants(field.path).map(
    (path) => Prisma.sql`${ROOTS[field.root]} #> ${path.map(databaseText)}::text[]`,
  );
  return found.length === 1 ? Prisma.sql`(${found[0]})` : Prisma.sql`coalesce(${Prisma.join(found)})`;
}

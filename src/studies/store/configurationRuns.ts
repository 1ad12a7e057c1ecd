import { z } from 'zod';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';

/** A run of one of several configurations, as far as a study needs it. */
const configurationRunRow = z.object({
  id: z.string(),
  number: z.int(),
  configurationHash: z.string(),
  seed: z.int(),
  state: z.enum(RUN_STATES),
  tags: z.array(z.string()),
  error: z.string().nullable(),
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  /** Content of its dataset; null where the run has not told. */
  fingerprint: z.string().nullable(),
  commit: z.string().nullable(),
  codeVersion: z.string().nullable(),
  cpu: z.string().nullable(),
  arithmetic: z.string().nullable(),
  /** What it noted of ties; null where it did not. */
  notes: z.record(z.string(), z.unknown()).nullable(),
});
export type ConfigurationRun = z.infer<typeof configurationRunRow>;

/** More than any study has: the newest. */
const MOST_RUNS = 20_000;

/** The newest runs of these configurations that are not in the trash, by number; of one project or of all. */
export async function listConfigurationRuns(
  connection: Connection,
  hashes: readonly string[],
  project: string | null,
): Promise<ConfigurationRun[]> {
  if (hashes.length === 0) return [];
  const rows = await queryRows(connection, configurationRunRow)`
    SELECT run.id, run.number, run.configuration_hash AS "configurationHash", run.seed, run.state, run.tags,
      left(run.error_message, 300) AS error, run.started_at AS "startedAt", run.ended_at AS "endedAt",
      run.environment->>'fingerprint' AS fingerprint, run.environment->>'commit' AS commit,
      run.environment->>'codeVersion' AS "codeVersion", run.environment->>'cpu' AS cpu,
      run.environment->>'arithmetic' AS arithmetic,
      CASE WHEN jsonb_typeof(run.environment->'notes') = 'object' THEN jsonb_build_object(
        'tieRule', run.environment->'notes'->'tieRule', 'tieShare', run.environment->'notes'->'tieShare') END AS notes
    FROM run
    WHERE run.configuration_hash = ANY(${[...hashes]}::text[]) AND run.deleted_at IS NULL
      AND (${project === null} OR run.project_id IN (SELECT id FROM project WHERE name = ${databaseText(project ?? '')}))
    ORDER BY run.number DESC LIMIT ${MOST_RUNS}::int`;
  return rows.reverse();
}

/** Lets one process at a time queue runs of a study, until the transaction ends. */
export async function lockStudy(connection: Connection, name: string): Promise<void> {
  await connection.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${databaseText(name)}, 22353))`;
}

import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryPage } from '#src/base/database/queryRows.ts';

const digestRow = z.object({ group: z.int(), digest: z.string() });

/**
 * For each group of configurations a text that is another one as soon as a run of them is added, deleted, restored, or changed in
 * anything that studies read: what `listConfigurationRuns` answers, what has succeeded with its metrics, artifacts and inputs.
 * Without runs it is empty.
 * @param groups Hashes of configurations.
 */
export async function digestConfigurationRuns(
  connection: Connection,
  groups: readonly (readonly string[])[],
  project: string | null,
): Promise<string[]> {
  const hashes = groups.flat();
  if (hashes.length === 0) return groups.map(() => '');
  const places = groups.flatMap((group, index) => group.map(() => index));
  const rows = await queryPage(connection, digestRow)`
    SELECT used.place AS group,
      encode(sha256(convert_to(string_agg(told.line, E'\\n' ORDER BY told.number), 'UTF8')), 'hex') AS digest
    FROM unnest(${places}::int[], ${hashes}::text[]) AS used (place, hash)
    JOIN (
      SELECT run.configuration_hash, run.number, jsonb_build_array(
        run.id, run.number, run.configuration_hash, run.seed, run.state, run.tags, left(run.error_message, 300),
        run.started_at, run.ended_at, run.attempt, run.environment->'fingerprint', run.environment->'commit',
        run.environment->'codeVersion', run.environment->'cpu', run.environment->'arithmetic',
        CASE WHEN run.state = 'SUCCEEDED' THEN run.metric_cursor END,
        CASE WHEN run.state = 'SUCCEEDED' THEN (
          SELECT jsonb_build_array(count(*), max(artifact.created_at)) FROM artifact WHERE artifact.run_id = run.id
        ) END,
        (SELECT jsonb_agg(jsonb_build_array(input.name, input.source_run_id, input.artifact_name)
          ORDER BY input.name, input.source_run_id, input.artifact_name)
         FROM run_input AS input WHERE input.run_id = run.id)
      )::text AS line
      FROM run
      WHERE run.configuration_hash = ANY(${hashes}::text[]) AND run.deleted_at IS NULL
        AND (${project === null}::bool OR run.project_id IN (SELECT id FROM project WHERE name = ${databaseText(project ?? '')}))
    ) AS told ON told.configuration_hash = used.hash
    GROUP BY used.place`;
  const digests = new Map(rows.map(({ group, digest }) => [group, digest]));
  return groups.map((_, index) => digests.get(index) ?? '');
}

import { z } from 'zod';
import type { RunState } from '#src/base/contracts/runState.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';

const activityRow = z.object({
  projectId: z.string(),
  running: z.int(),
  queued: z.int(),
  ended: z.int(),
  failed: z.int(),
  lastActiveAt: timestamp,
});

/** How it goes with the runs of a project that are not in the trash. */
export type ProjectActivity = z.infer<typeof activityRow>;

const ENDED: RunState[] = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'CRASHED', 'PRUNED'];

/** The activity of projects, ends counted since a time; projects without runs are left out. */
export async function listProjectActivity(
  connection: Connection,
  projectIds: readonly string[],
  since: Date,
): Promise<ProjectActivity[]> {
  if (projectIds.length === 0) return [];
  return await queryRows(connection, activityRow)`
    SELECT project.id AS "projectId", live.running, live.queued, news.ended, news.failed,
      greatest(newest.time, live.time, latest.time) AS "lastActiveAt"
    FROM unnest(${[...projectIds]}::uuid[]) AS project (id)
    CROSS JOIN LATERAL (
      SELECT greatest(created_at, started_at, ended_at) AS time FROM run
      WHERE project_id = project.id AND deleted_at IS NULL ORDER BY number DESC LIMIT 1
    ) newest
    CROSS JOIN LATERAL (
      SELECT (count(*) FILTER (WHERE state = 'RUNNING'))::int AS running,
        (count(*) FILTER (WHERE state <> 'RUNNING'))::int AS queued, max(greatest(created_at, started_at)) AS time
      FROM run WHERE project_id = project.id AND state IN ('RUNNING', 'QUEUED', 'WAITING') AND deleted_at IS NULL
    ) live
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS ended, (count(*) FILTER (WHERE state IN ('FAILED', 'CRASHED')))::int AS failed
      FROM run WHERE project_id = project.id AND state = ANY(${ENDED}::run_state[]) AND ended_at > ${since}
        AND deleted_at IS NULL
    ) news
    CROSS JOIN LATERAL (
      SELECT max(one.ended_at) AS time FROM unnest(${ENDED}::run_state[]) AS ended (state)
      CROSS JOIN LATERAL (
        SELECT ended_at FROM run
        WHERE project_id = project.id AND state = ended.state AND ended_at IS NOT NULL AND deleted_at IS NULL
        ORDER BY ended_at DESC LIMIT 1
      ) one
    ) latest`;
}

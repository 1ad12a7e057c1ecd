import { z } from 'zod';
import { TIMING } from '#src/base/platform/timing.ts';
import { Prisma, SweepState } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows, timestamp } from '#src/base/database/queryRows.ts';
import { runFilterSql } from '#src/runs/store/runFilterSql.ts';
import type { RuleScope } from './runFindings.ts';

const sweepRow = z.object({
  id: z.string(),
  number: z.int(),
  name: z.string(),
  state: z.enum(SweepState),
  reason: z.string(),
  projectId: z.string(),
  projectName: z.string(),
  key: z.string(),
});
export type EndedSweep = z.infer<typeof sweepRow>;
const workerRow = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  lastSeenAt: timestamp,
  key: z.string(),
});
export type GoneWorker = z.infer<typeof workerRow>;

const MOST = 200;

/** Sweeps that ended and have no alert yet; with a filter, those of which a run meets it. */
export async function findEndedSweeps(connection: Connection, scope: RuleScope): Promise<EndedSweep[]> {
  const key = Prisma.sql`concat(${scope.prefix}::text, 'sweep:', sweep.id, ':', (extract(epoch FROM sweep.ended_at) * 1000)::int8)`;
  const meets =
    scope.filter === null
      ? Prisma.sql`true`
      : Prisma.sql`EXISTS (SELECT FROM run JOIN configuration ON configuration.hash = run.configuration_hash
          WHERE run.sweep_id = sweep.id AND ${runFilterSql(scope.filter)})`;
  return await queryRows(connection, sweepRow)`
    SELECT sweep.id, sweep.number, sweep.name, sweep.state, sweep.reason, project.id AS "projectId",
      project.name AS "projectName", ${key} AS key
    FROM sweep JOIN project ON project.id = sweep.project_id
    WHERE (${scope.projectId}::uuid IS NULL OR sweep.project_id = ${scope.projectId}::uuid)
      AND sweep.ended_at >= ${scope.since} AND ${meets} AND NOT EXISTS (SELECT FROM alert WHERE alert.key = ${key})
    ORDER BY sweep.ended_at LIMIT ${MOST}::int`;
}

/** Workers that did not stop of their own accord, were not seen for 30 seconds, and have no alert yet. */
export async function findGoneWorkers(connection: Connection, scope: RuleScope): Promise<GoneWorker[]> {
  const key = Prisma.sql`concat(${scope.prefix}::text, 'worker:', id, ':', (extract(epoch FROM last_seen_at) * 1000)::int8)`;
  const alive = Prisma.sql`${TIMING.workerAliveMs}::int * interval '1 millisecond'`;
  return await queryRows(connection, workerRow)`
    SELECT id, name, host, last_seen_at AS "lastSeenAt", ${key} AS key FROM worker
    WHERE stopped_at IS NULL AND last_seen_at <= now() - ${alive} AND last_seen_at >= ${scope.since}::timestamptz - ${alive}
      AND NOT EXISTS (SELECT FROM alert WHERE alert.key = ${key})
    ORDER BY last_seen_at LIMIT ${MOST}::int`;
}

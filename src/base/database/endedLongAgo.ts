import { Prisma } from '#src/generated/prisma/client.ts';

/** SQL that is true of rows of `run` that ended at least so many days ago. */
export function endedLongAgo(days: number): Prisma.Sql {
  return Prisma.sql`run.ended_at <= now() - ${days}::float8 * interval '1 day'
    AND run.state IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'PRUNED', 'CRASHED')`;
}

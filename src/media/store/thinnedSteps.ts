import { Prisma } from '#src/generated/prisma/client.ts';

/**
 * Rising steps of a group as the text of an array: all of them, or of more than `most` (two or more) so many, evenly chosen, with
 * the first and the last. The rows have `step`, `earlier` (how many come before it, from 0) and `steps` (how many there are).
 */
export function thinnedSteps(most: number): Prisma.Sql {
  return Prisma.sql`array_agg(step ORDER BY step) FILTER (
    WHERE steps <= ${most}::int OR earlier = 0
      OR earlier * ${most - 1}::int / (steps - 1) > (earlier - 1) * ${most - 1}::int / (steps - 1)
  )::text`;
}

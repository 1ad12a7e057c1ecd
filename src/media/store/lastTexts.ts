import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { measureRows } from '#src/base/database/measureRows.ts';
import { int8, queryRows } from '#src/base/database/queryRows.ts';

/** The newest short texts of a run under one name. */
const textRow = z.object({
  runId: z.string(),
  name: z.string(),
  step: int8,
  /** All at that step, by place. */
  texts: z.array(z.string()),
});
export type TextRecord = z.infer<typeof textRow>;

/** Texts at one step that are told, at most. */
const MOST_AT_A_STEP = 100;

/** The last step at which a run has texts under a name; what else has been logged there since does not hide them. */
function lastStepSql(runId: Prisma.Sql, name: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`SELECT step FROM media
    WHERE media.run_id = ${runId} AND media.name = ${name} AND kind = 'text' ORDER BY step DESC LIMIT 1`;
}

/**
 * The newest text of a run under a name as far as it stands in the metadata, NULL where there is none; of several at that step all,
 * each a line.
 */
export function loggedTextSql(runId: Prisma.Sql, name: string): Prisma.Sql {
  return Prisma.sql`(SELECT string_agg(media.metadata->>'text', E'\n' ORDER BY media.place) FROM media
    WHERE media.run_id = ${runId} AND media.name = ${name} AND media.kind = 'text' AND media.place < ${MOST_AT_A_STEP}::int
      AND media.step = (${lastStepSql(runId, Prisma.sql`${name}`)}))`;
}

/** Goes from name to name and to the last step of each: a run may have very many media under few names. */
function textsSql(runIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    SELECT wanted.run_id, named.name, latest.step, found.texts FROM unnest(${[...runIds]}::uuid[]) AS wanted (run_id)
    CROSS JOIN LATERAL (
      WITH RECURSIVE names (name) AS (
        (SELECT name FROM media WHERE run_id = wanted.run_id ORDER BY name LIMIT 1)
        UNION ALL
        SELECT (SELECT media.name FROM media WHERE run_id = wanted.run_id AND media.name > names.name ORDER BY media.name LIMIT 1)
        FROM names WHERE names.name IS NOT NULL
      ) SELECT name FROM names WHERE name IS NOT NULL
    ) named
    CROSS JOIN LATERAL (${lastStepSql(Prisma.sql`wanted.run_id`, Prisma.sql`named.name`)}) latest
    CROSS JOIN LATERAL (
      SELECT array_agg(metadata->>'text' ORDER BY place) AS texts FROM media
      WHERE media.run_id = wanted.run_id AND media.name = named.name AND media.step = latest.step
        AND place < ${MOST_AT_A_STEP}::int AND kind = 'text' AND jsonb_typeof(metadata->'text') = 'string'
    ) found
    WHERE found.texts IS NOT NULL`;
}

/** The newest texts of each run under each name, by name, as far as they stand in the metadata. */
export async function listLastTexts(connection: Connection, runIds: readonly string[]): Promise<TextRecord[]> {
  if (runIds.length === 0) return [];
  return await queryRows(connection, textRow)`
    SELECT run_id AS "runId", name, step, texts FROM (${textsSql(runIds)}) found ORDER BY name`;
}

/** Bytes that they take in an answer. */
export async function measureLastTexts(connection: Connection, runIds: readonly string[]): Promise<number> {
  return await measureRows(connection, textsSql(runIds));
}

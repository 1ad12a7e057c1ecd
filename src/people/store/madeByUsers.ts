import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

const madeRow = z.object({ userId: z.string(), tokens: z.array(z.string()), links: z.int() });
/** What somebody has made that holds: names of tokens, and how many links. */
export type MadeByUser = z.infer<typeof madeRow>;

/** What these people have made that holds, and what their tokens have made in turn: `voidTokensOf` and `withdrawLinksOf` end it. */
export async function listMadeByUsers(connection: Connection, ids: readonly string[]): Promise<MadeByUser[]> {
  if (ids.length === 0) return [];
  return await queryRows(connection, madeRow)`
    WITH RECURSIVE made AS (
      SELECT id, maker_id AS user_id FROM api_token WHERE maker_id = ANY(${[...ids]}::uuid[])
      UNION SELECT token.id, made.user_id FROM api_token token JOIN made ON token.maker_id = made.id
    )
    SELECT person.id AS "userId",
      ARRAY(SELECT token.name FROM made JOIN api_token token ON token.id = made.id
        WHERE made.user_id = person.id AND token.revoked_at IS NULL AND (token.expires_at IS NULL OR token.expires_at > now())
        ORDER BY token.name) AS tokens,
      (SELECT count(*) FROM share_link link
        WHERE (link.maker_id = person.id OR link.maker_id IN (SELECT made.id FROM made WHERE made.user_id = person.id))
          AND link.withdrawn_at IS NULL AND (link.expires_at IS NULL OR link.expires_at > now()))::int4 AS links
    FROM unnest(${[...ids]}::uuid[]) AS person (id)`;
}

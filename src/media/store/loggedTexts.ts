import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { int8, queryRows, timestamp } from '#src/base/database/queryRows.ts';

/** A text that a run has logged, as far as it stands in the metadata: of a long one the beginning. */
const loggedTextRow = z.object({ name: z.string(), step: int8, place: z.int(), text: z.string(), time: timestamp });
export type LoggedText = z.infer<typeof loggedTextRow>;

/** The next texts of a run after one of them, by name, step and place; the first where `after` is null. */
export async function listTextsAfter(
  connection: Connection,
  runId: string,
  { after, limit }: { after: LoggedText | null; limit: number },
): Promise<LoggedText[]> {
  const later =
    after === null
      ? Prisma.empty
      : Prisma.sql`AND (name, step, place) > (${after.name}, ${BigInt(after.step)}::int8, ${after.place}::int)`;
  return await queryRows(connection, loggedTextRow)`
    SELECT name, step, place, metadata->>'text' AS text, time FROM media
    WHERE run_id = ${runId}::uuid AND kind = 'text' AND metadata->>'text' IS NOT NULL ${later}
    ORDER BY name, step, place LIMIT ${limit}::int`;
}

import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { int8, queryRows } from '#src/base/database/queryRows.ts';

const referencedRow = z.object({
  sha256: z.string(),
  /** As the rows say; two sizes of one content differ here. */
  leastBytes: int8,
  mostBytes: int8,
  /** How many artifacts and files of versions are this content. */
  uses: int8,
  /** One of them, for people; null where only registered versions use it. */
  runNumber: z.int().nullable(),
  name: z.string(),
});
export type ReferencedContent = z.infer<typeof referencedRow>;

/** What artifacts and registered versions refer to, by sha256, the next after one. */
export async function listReferencedAfter(
  connection: Connection,
  { after, limit }: { after: string; limit: number },
): Promise<ReferencedContent[]> {
  return await queryRows(connection, referencedRow)`
    SELECT sha256, min(size_bytes)::int8 AS "leastBytes", max(size_bytes)::int8 AS "mostBytes", count(*) AS uses,
      min(number)::int4 AS "runNumber", min(name) AS name
    FROM (
      SELECT sha256, size_bytes, run.number, artifact.name FROM artifact JOIN run ON run.id = artifact.run_id
      WHERE sha256 > ${after}
      UNION ALL
      SELECT sha256, size_bytes, NULL, path FROM registry_file WHERE sha256 > ${after}
    ) referenced
    GROUP BY sha256 ORDER BY sha256 LIMIT ${limit}::int`;
}

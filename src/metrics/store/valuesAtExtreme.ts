import { z } from 'zod';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

const valueRow = z.object({ id: z.string(), value: z.number() });

/**
 * The values of all series of the guides' runs at the first step where the guide has its extreme, by the id of the series. Series
 * without a value at that very step have none.
 * @param guides Ids of series, one a run.
 */
export async function valuesAtExtreme(
  connection: Connection,
  { guides, extreme }: { guides: readonly string[]; extreme: 'minimum' | 'maximum' },
): Promise<Map<string, number>> {
  const rows = await queryRows(connection, valueRow)`
    SELECT series.id::text AS id, point.value FROM metric_series guide
    CROSS JOIN LATERAL (
      SELECT step FROM series_points(guide.id) WHERE value = ${Prisma.raw(`guide.${extreme}`)} ORDER BY step LIMIT 1
    ) chosen
    JOIN metric_series series ON series.run_id = guide.run_id AND series.point_count > 0
    CROSS JOIN LATERAL series_points(series.id, chosen.step, chosen.step) point
    WHERE guide.id = ANY(${[...guides]}::int8[])`;
  return new Map(rows.map(({ id, value }) => [id, value]));
}

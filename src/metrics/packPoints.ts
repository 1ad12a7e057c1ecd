import { inTransaction } from '#src/base/database/connection.ts';
import {
  type LooseSeries,
  listLooseSeries,
  MOST_ROWS,
  packSeries,
  packShortSeries,
} from '#src/metrics/store/packPoints.ts';
import { BLOCK_POINTS } from '#src/metrics/store/pointBlocks.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** Series that one look takes up. */
const SERIES_AT_ONCE = 500;

/** Where the next look goes on: behind which series. */
export interface PackingPlace {
  after: string;
}

/**
 * Packs points that are settled into blocks, some series at a time: short ones of many runs together, long ones run by run. Each
 * time is a transaction: killed anywhere, points are either rows or in a block. Any number of processes may do it.
 * @returns how many points were packed, and whether there are further series to look at now.
 */
export async function packPoints(
  { db }: Pick<ServiceContext, 'db'>,
  place: PackingPlace,
): Promise<{ points: number; more: boolean }> {
  const loose = await listLooseSeries(db, place.after, SERIES_AT_ONCE);
  const settled = loose.filter((series) => series.settled);
  const short = settled.filter((series) => series.points <= BLOCK_POINTS);
  const others = settled.filter((series) => series.points > BLOCK_POINTS);
  let points = 0;
  for (const series of inPieces(short)) {
    const packed = await inTransaction(db, (connection) => packShortSeries(connection, series));
    for (const count of packed.points.values()) points += count;
    others.push(...series.filter(({ id, runId }) => packed.freeRuns.has(runId) && !packed.points.has(id)));
  }
  for (const series of inPieces(others, { ofOneRun: true })) {
    const { runId } = series[0]!;
    for (let left = series.map(({ id }) => id); left.length > 0; ) {
      const packed = await inTransaction(db, (connection) => packSeries(connection, runId, left));
      points += packed.points;
      left = packed.left;
    }
  }
  const more = loose.length === SERIES_AT_ONCE;
  place.after = more ? loose.at(-1)!.id : '-1';
  return { points, more };
}

/** Series one after another, those of a piece not too long for one statement; where asked for, of one run. */
function inPieces(series: readonly LooseSeries[], { ofOneRun = false } = {}): LooseSeries[][] {
  const pieces: LooseSeries[][] = [];
  let rows = 0;
  for (const one of series) {
    const own = Math.min(one.points, MOST_ROWS);
    const piece = pieces.at(-1);
    if (piece === undefined || rows + own > MOST_ROWS || (ofOneRun && piece[0]?.runId !== one.runId)) {
      pieces.push([one]);
      rows = own;
    } else {
      piece.push(one);
      rows += own;
    }
  }
  return pieces;
}

import { nearestRows } from './cosineNeighbours.ts';
import type { NumberTable, Progress } from './numberTable.ts';

export interface NeighbourOverlap {
  /** Mean share of a row's `count` nearest in one table that are among its nearest in the other. */
  overlap: number;
  /** Mean Jaccard index of the two sets of nearest: those in both over those in either. */
  jaccard: number;
  /** What `overlap` is expected to be of neighbors drawn at random. */
  chance: number;
  /** (rows looked at) Overlap of each. */
  ofRow: Float64Array;
}

/**
 * How far two embeddings of the same rows agree about who is near whom, by cosine.
 * @param unitA,unitB From `unitRows`; rows of the same number belong together.
 * @param looked Rows whose neighbors are compared, among all.
 */
export function neighbourOverlap(
  [unitA, unitB]: readonly [NumberTable, NumberTable],
  looked: ArrayLike<number>,
  count: number,
  progress: Progress = () => {},
): NeighbourOverlap {
  const taken = Math.min(count, unitA.rows - 1);
  const ofRow = new Float64Array(looked.length);
  let jaccard = 0;
  for (let i = 0; i < looked.length; i++) {
    if (i % 16 === 0) progress(i / looked.length);
    const near = new Set(nearestRows(unitA, looked[i]!, taken).rows);
    let both = 0;
    for (const row of nearestRows(unitB, looked[i]!, taken).rows) if (near.has(row)) both++;
    ofRow[i] = both / taken;
    jaccard += both / (2 * taken - both);
  }
  const overlap = ofRow.reduce((sum, share) => sum + share, 0) / looked.length;
  return { overlap, jaccard: jaccard / looked.length, chance: taken / (unitA.rows - 1), ofRow };
}

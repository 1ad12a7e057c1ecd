import type { PointRange } from '#src/base/contracts/pointRange.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { isStorableTime } from '#src/base/contracts/storableTime.ts';
import { heldRanges } from '#src/metrics/store/heldPoints.ts';
import { requireRun } from '#src/runs/findRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

const MOST_RANGES = 2_000;
const MOST_POINTS = 100_000;

/**
 * Which ranges of points a run holds exactly, in the order given: who sends points again need not send those.
 * @throws WarrenError NOT_FOUND, BAD_INPUT.
 */
export async function pointsHeld(
  context: Pick<ServiceContext, 'db'>,
  { runId, ranges }: { runId: string; ranges: readonly PointRange[] },
): Promise<boolean[]> {
  if (ranges.length > MOST_RANGES) {
    throw badInput(`ranges: ${ranges.length} ranges, at most ${MOST_RANGES.toLocaleString('en')} at a time`, 'ranges');
  }
  for (const [index, range] of ranges.entries()) checkRange(range, `ranges[${index}]`);
  const points = ranges.reduce((sum, { count }) => sum + count, 0);
  if (points > MOST_POINTS) {
    throw badInput(`ranges: ${points} points, at most ${MOST_POINTS.toLocaleString('en')} at a time`, 'ranges');
  }
  const run = await requireRun(context, runId);
  const held = await heldRanges(context.db, run.id, ranges);
  return ranges.map((_, place) => held.has(place));
}

function checkRange({ first, last, count, sha256 }: PointRange, path: string): void {
  if (count < 1) throw badInput(`${path}.count: received ${count}, expected 1 or more`, `${path}.count`);
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    throw badInput(`${path}.sha256: expected 64 hexadecimal digits in lower case`, `${path}.sha256`);
  }
  for (const [name, { timeMs }] of Object.entries({ first, last })) {
    if (Number.isInteger(timeMs) && isStorableTime(timeMs)) continue;
    const expected = 'expected whole Unix milliseconds up to the year 9999';
    throw badInput(`${path}.${name}.timeMs: received ${timeMs}, ${expected}`, `${path}.${name}.timeMs`);
  }
}

import type { BandKind } from '#src/base/contracts/workspace.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { studentQuantile } from '#src/statistics/studentQuantile.ts';

/** Points of a curve in columns of equal length, x rising. */
export interface CurvePoints {
  x: readonly number[];
  /** Values that are not finite leave a gap. */
  y: readonly number[];
  /** The band around the line; null where there is none. */
  low: readonly number[] | null;
  high: readonly number[] | null;
  /** How many members each point is the mean of; null for a curve of one run. */
  n: readonly number[] | null;
}

/** More places than this are thinned out evenly. */
const MOST_PLACES = 2_000;

/**
 * The mean of several curves with a band, at every x that one of them has. Between two of its points a member is a straight
 * line; before its first and after its last it does not take part, so that n tells how many do. Values that are not finite do
 * not take part either.
 */
export function meanCurve(members: readonly Pick<CurvePoints, 'x' | 'y'>[], band: BandKind): CurvePoints {
  const places = thinned(union(members.map(({ x }) => x)));
  const at = members.map(() => 0);
  const [x, y, low, high, n]: number[][] = [[], [], [], [], []];
  const values: number[] = [];
  for (const place of places) {
    values.length = 0;
    for (const [index, member] of members.entries()) {
      let i = at[index]!;
      while (i + 1 < member.x.length && member.x[i + 1]! <= place) i += 1;
      at[index] = i;
      const value = valueAt(member, place, i);
      if (Number.isFinite(value)) values.push(value);
    }
    if (values.length === 0) continue;
    const [bottom, middle, top] = summary(values, band);
    x!.push(place);
    y!.push(middle);
    low!.push(bottom);
    high!.push(top);
    n!.push(values.length);
  }
  const banded = band !== 'none' && members.length > 1;
  return { x: x!, y: y!, low: banded ? low! : null, high: banded ? high! : null, n: n! };
}

/** The value of a member at a place, `i` being the last of its points that is not beyond; NaN outside of it. */
function valueAt({ x, y }: Pick<CurvePoints, 'x' | 'y'>, place: number, i: number): number {
  const [before, after] = [x[i], x[i + 1]];
  if (before === undefined || place < before) return Number.NaN;
  if (place === before) return y[i]!;
  if (after === undefined) return Number.NaN;
  const share = (place - before) / (after - before);
  return y[i]! + share * (y[i + 1]! - y[i]!);
}

function summary(values: readonly number[], band: BandKind): [low: number, mean: number, high: number] {
  const { mean, standardDeviation, n } = summarizeReplicates(values);
  if (band === 'extremes') return [Math.min(...values), mean, Math.max(...values)];
  const deviation = standardDeviation ?? 0;
  const error = deviation / Math.sqrt(n);
  const half =
    band === 'deviation' ? deviation : band === 'error' ? error : band === 'interval' ? error * quantile(n - 1) : 0;
  return [mean - half, mean, mean + half];
}

const quantiles = new Map<number, number>();

/** Half a 95 % interval of a mean in standard errors: Student's t with `df` degrees of freedom. */
function quantile(df: number): number {
  if (df < 1) return 0;
  const known = quantiles.get(df) ?? studentQuantile(0.95, df);
  quantiles.set(df, known);
  return known;
}

/** All places that occur, rising, each once. */
function union(lists: readonly (readonly number[])[]): number[] {
  const all = Float64Array.from(lists.flat()).sort();
  const places: number[] = [];
  for (const place of all) if (place !== places.at(-1)) places.push(place);
  return places;
}

function thinned(places: readonly number[]): readonly number[] {
  if (places.length <= MOST_PLACES) return places;
  return Array.from(
    { length: MOST_PLACES },
    (_, index) => places[Math.round((index * (places.length - 1)) / (MOST_PLACES - 1))]!,
  );
}

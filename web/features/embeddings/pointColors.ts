import { SERIES_COLORS } from '#web/charts/seriesStyle.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import type { ItemValue } from './itemTable.ts';
import type { Color } from './pointCloud.ts';

/** A color of the legend, and how many rows have it. */
export interface LegendEntry {
  label: string;
  /** CSS variables between whose colors the entry's lies: one, or both ends of a part of the ramp. */
  variable: string;
  count: number;
}

/** Which color each row has, as a number of the palette. */
export interface Coloring {
  /** (rows) */
  codes: Uint8Array;
  /** By code, as a place among `--series-…`, or on the ramp from 0 to 1; null is the muted color. */
  palette: ({ series: number } | { ramp: number } | null)[];
  legend: (LegendEntry & { codes: readonly number[] })[];
}

const RAMP_STEPS = 35;
const RAMP_PARTS = 5;
const NONE = 255;
const OTHERS = 'others';

/** Colors by a number: by its rank, so that a few large ones leave the others apart. Rows without one are muted. */
export function coloringByNumber(values: ArrayLike<number | null>): Coloring {
  const known = Array.from({ length: values.length }, (_, row) => row).filter((row) => values[row] != null);
  known.sort((a, b) => values[a]! - values[b]! || a - b);
  const codes = new Uint8Array(values.length).fill(NONE);
  // equal numbers have one color
  let step = 0;
  for (const [rank, row] of known.entries()) {
    const isNew = rank === 0 || values[row] !== values[known[rank - 1]!];
    if (isNew) step = Math.floor((rank / known.length) * RAMP_STEPS);
    codes[row] = step;
  }
  const palette: Coloring['palette'] = Array.from({ length: RAMP_STEPS }, (_, i) => ({ ramp: i / (RAMP_STEPS - 1) }));
  const each = RAMP_STEPS / RAMP_PARTS;
  const legend = Array.from({ length: RAMP_PARTS }, (_, part) => {
    const inPart = known.filter((row) => Math.floor(codes[row]! / each) === part);
    return {
      label: inPart.length === 0 ? '' : between(values[inPart[0]!]!, values[inPart.at(-1)!]!),
      variable: `--ramp-${part + 1}`,
      count: inPart.length,
      codes: Array.from({ length: each }, (_, i) => part * each + i),
    };
  }).filter(({ count }) => count > 0);
  return { codes, palette, legend: [...legend, ...none(codes)] };
}

/** Colors by a text, the most frequent ones first; all beyond the colors there are share the muted one. */
export function coloringByText(values: ArrayLike<ItemValue>): Coloring {
  const counts = new Map<string, number>();
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value != null) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  }
  const ordered = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  // the last color is a gray, too near to the muted one
  const own = ordered.slice(0, SERIES_COLORS - 1);
  const code = new Map(own.map(([value], place) => [value, place]));
  const codes = Uint8Array.from({ length: values.length }, (_, row) => {
    const value = values[row];
    return value == null ? NONE : (code.get(String(value)) ?? own.length);
  });
  const rest = ordered.slice(own.length).reduce((sum, [, count]) => sum + count, 0);
  const legend = own.map(([label, count], place) => ({
    ...{ label, count, variable: `--series-${place + 1}` },
    codes: [place],
  }));
  const others = { label: OTHERS, count: rest, variable: '--series-7', codes: [own.length] };
  return {
    codes,
    palette: [...own.map((_, series) => ({ series })), { series: SERIES_COLORS - 1 }],
    legend: [...legend, ...(rest > 0 ? [others] : []), ...none(codes)],
  };
}

function none(codes: Uint8Array): Coloring['legend'] {
  const count = codes.reduce((sum, code) => sum + (code === NONE ? 1 : 0), 0);
  return count === 0 ? [] : [{ label: 'unknown', count, variable: '--text-muted', codes: [NONE] }];
}

function between(from: number, to: number): string {
  const [low, high] = [formatNumber(from, 4), formatNumber(to, 4)];
  return low === high ? low : `${low} to ${high}`;
}

/**
 * (rows, 4) What is painted: the colors of the page now, rows outside the chosen codes faint.
 * @param of Color of a CSS variable, as `#rrggbb`.
 */
export function paintedRows(
  { codes, palette }: Coloring,
  of: (variable: string) => string,
  chosen: ReadonlySet<number> | null,
): Uint8Array<ArrayBuffer> {
  const muted = colorOf(of('--text-muted'));
  const ramp = Array.from({ length: RAMP_PARTS }, (_, i) => colorOf(of(`--ramp-${i + 1}`)));
  const colors = palette.map((entry) => {
    if (entry === null) return muted;
    return 'series' in entry ? colorOf(of(`--series-${entry.series + 1}`)) : onRamp(ramp, entry.ramp);
  });
  const painted = new Uint8Array(codes.length * 4);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    painted.set(colors[code] ?? muted, row * 4);
    painted[row * 4 + 3] = chosen !== null && !chosen.has(code) ? 22 : code === NONE ? 110 : 205;
  }
  return painted;
}

function onRamp(ramp: readonly Color[], at: number): Color {
  const place = at * (ramp.length - 1);
  const low = Math.min(ramp.length - 2, Math.floor(place));
  const mix = (channel: 0 | 1 | 2) => {
    const from = ramp[low]![channel];
    return Math.round(from + (ramp[low + 1]![channel] - from) * (place - low));
  };
  return [mix(0), mix(1), mix(2)];
}

/** A color that is written `#rrggbb`, or `#rgb` as a build shortens it. */
export function colorOf(text: string): Color {
  const digits = text.trim().replace('#', '');
  const number = Number.parseInt(digits.length === 3 ? digits.replace(/./g, '$&$&') : digits, 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

import { metricOfColumn, metricOfCurve, textOfColumn } from '#web/lib/runColumn.ts';
import { isRunField, type RunField } from './columnChoice.ts';

const WIDTHS: Record<RunField, number> = {
  name: 260,
  state: 128,
  progress: 130,
  kind: 110,
  dataset: 176,
  headline: 230,
  seed: 62,
  duration: 94,
  created: 100,
  started: 100,
  ended: 100,
  project: 120,
  user: 130,
  tags: 170,
  notes: 240,
  configuration: 118,
  attempt: 84,
  priority: 84,
};

/** Of the name on a phone with all that stands before it: name, state and the first metric are in sight together. */
const NARROW_NAME_END = 230;
/** Its sign alone: the word is told to those who listen. */
const NARROW_STATE = 52;
const NARROW_METRIC = 88;
/** No other column is wider on a phone unless somebody made it so. */
const NARROW_WIDEST = 130;

/**
 * A column's width on a phone.
 * @param lead Pixels of what stands before all columns.
 */
export function narrowWidth(column: string, lead: number): number {
  if (column === 'name') return NARROW_NAME_END - lead;
  if (column === 'state') return NARROW_STATE;
  if (column === 'headline' || metricOfColumn(column) !== null) return NARROW_METRIC;
  return Math.min(columnWidth(column), NARROW_WIDEST);
}

/** A column's width in pixels. Widths are fixed: rows come and go while one scrolls, and columns must not move. */
export function columnWidth(column: string): number {
  if (isRunField(column)) return WIDTHS[column];
  if (textOfColumn(column) !== null) return 200;
  return metricOfColumn(column) === null && metricOfCurve(column) === null ? 120 : 140;
}

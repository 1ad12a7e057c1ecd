import { badInput } from '#src/base/contracts/errors.ts';
import { isStorableTime } from '#src/base/contracts/storableTime.ts';
import { databaseText } from '#src/base/database/databaseText.ts';

export interface MetricPointInput {
  name: string;
  /** 0 to 2⁵³, or from −2⁵³ where negative ones are taken. */
  step: number;
  /** May be NaN or infinite. */
  value: number;
  /** Unix milliseconds. */
  timeMs: number;
}

/** As far as every whole number is a double. */
export const LARGEST_STEP = 2 ** 53;
/** A B-tree entry of the name must fit in a page. */
const LONGEST_NAME = 500;

/** Columns of points, series by number; doubles of (series, step) left out, the first wins. */
export interface NewPoints {
  /** Of the metrics; `series` counts them from 1. */
  names: string[];
  series: number[];
  steps: number[];
  values: number[];
  times: number[];
}

/**
 * Checks points and puts them into columns.
 * @throws WarrenError BAD_INPUT for steps and names that no series can have.
 */
export function pointColumns(points: readonly MetricPointInput[], smallestStep = 0): NewPoints {
  const columns: NewPoints = { names: [], series: [], steps: [], values: [], times: [] };
  const known = new Map<string, { index: number; steps: Set<number> }>();
  for (const { name, step, value, timeMs } of points) {
    if (!Number.isInteger(step) || step < smallestStep || step > LARGEST_STEP) {
      const from = smallestStep === 0 ? '0' : '-2^53';
      throw badInput(`metric ${name}: step ${step} is not a whole number from ${from} to 2^53`, 'step');
    }
    if (!isStorableTime(timeMs)) {
      throw badInput(`metric ${name}: time ${timeMs} is not a Unix time in milliseconds before the year 10000`, 'time');
    }
    let series = known.get(name);
    if (series === undefined) {
      if (name.length === 0 || name.length > LONGEST_NAME) {
        throw badInput(`a metric's name has 1 to ${LONGEST_NAME} characters, not ${name.length}`, 'name');
      }
      series = { index: columns.names.push(databaseText(name)), steps: new Set() };
      known.set(name, series);
    }
    if (series.steps.has(step)) continue;
    series.steps.add(step);
    columns.series.push(series.index);
    columns.steps.push(step);
    columns.values.push(value);
    columns.times.push(Math.round(timeMs));
  }
  return columns;
}

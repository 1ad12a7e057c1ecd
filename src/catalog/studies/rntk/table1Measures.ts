import type { RntkTableMethod } from '#src/catalog/published/rntkTables.ts';
import type { CombinedValue, TableLine } from '../study.ts';
import { accuracyMeasure, MEASURES, type MeasureName } from './accuracyMeasures.ts';
import { armName, KNOWN_SETS, METHOD_LABELS, SET_APART } from './classifiers.ts';

/** Sets that count: those at hand, but for one whose printed figures cannot be its own. */
export const SETS = KNOWN_SETS.filter((name) => name !== SET_APART);

const ROWS: Readonly<Record<MeasureName, { label: string; scale: number; tolerance: { absolute: number } }>> = {
  mean: { label: 'Acc. mean', scale: 100, tolerance: { absolute: 1 } },
  'standard-deviation': { label: 'Standard deviation', scale: 100, tolerance: { absolute: 1 } },
  p90: { label: 'P90', scale: 100, tolerance: { absolute: 5 } },
  p95: { label: 'P95', scale: 100, tolerance: { absolute: 5 } },
  pma: { label: 'PMA', scale: 100, tolerance: { absolute: 1 } },
  'friedman-rank': { label: 'Friedman rank', scale: 1, tolerance: { absolute: 0.25 } },
};
/** A measure of one classifier among some, over the sets that count. */
export function measured(
  measure: MeasureName,
  among: readonly RntkTableMethod[],
  { method, nameOf = armName }: { method: RntkTableMethod; nameOf?: typeof armName },
): CombinedValue {
  const column = among.indexOf(method);
  return {
    parts: SETS.flatMap((name) => among.map((one) => ({ arm: nameOf(one, name), metric: 'test/accuracy' }))),
    combine: (values) =>
      accuracyMeasure(
        measure,
        SETS.map((_, set) => values.slice(set * among.length, (set + 1) * among.length)),
        column,
      ),
    words: `${ROWS[measure].label} over ${SETS.length} sets among ${among.length} classifiers`,
  };
}

export const MEASURE_ROWS: readonly TableLine[] = MEASURES.map((name) => ({ name, label: ROWS[name].label }));
export const columnsOf = (methods: readonly RntkTableMethod[]): TableLine[] =>
  methods.map((name) => ({ name, label: METHOD_LABELS[name] }));

export const cellOf = (measure: MeasureName, method: RntkTableMethod) => {
  const { scale, tolerance } = ROWS[measure];
  return { row: measure, column: method, scale, tolerance };
};

/** The RNTK above others, paired over the sets. */
export const aboveOthers = (others: readonly RntkTableMethod[], nameOf: typeof armName = armName) =>
  others.map((method) => ({
    above: SETS.map((name) => nameOf('rntk', name)),
    below: SETS.map((name) => nameOf(method, name)),
    metric: 'test/accuracy',
  }));

import { useMemo } from 'react';
import { useColumnMetrics } from '#web/features/metrics/useColumnMetrics.ts';
import { flattenJson } from '#src/base/lib/flattenJson.ts';
import { configurationValue, metricOfColumn, pathOfColumn } from '#web/lib/runColumn.ts';
import { summaryValue } from '#web/lib/summaryValue.ts';
import { categoryAxis, numberAxis, type ValueAxis } from '#web/lib/valueAxis.ts';
import { usePanelShared } from './panelContext.ts';
import type { SubjectRun } from './subjects.ts';

export interface RunValues {
  runs: readonly SubjectRun[];
  /** The value of a field or a metric's column for the run with this index; undefined where it has none. */
  valueAt(index: number, field: string): unknown;
  /** Whether higher or lower values of a metric are better; null where neither, or not known. */
  directionOf(metric: string): 'higher' | 'lower' | null;
}

/** The values by which panels without curves place the runs of the table. Metrics are read while the panel is in sight. */
export function useRunValues(fields: readonly string[], inSight: boolean): RunValues {
  const { runs, inTrash } = usePanelShared();
  const metrics = fields.flatMap((field) => metricOfColumn(field) ?? []).join('\n');
  const names = useMemo(
    () => (metrics === '' || !inSight ? [] : [...new Set(metrics.split('\n'))]),
    [metrics, inSight],
  );
  const found = useColumnMetrics({ inTrash, runs, names });
  return useMemo(() => {
    const summaryOf = (index: number, name: string) => found.get(runs[index]?.id ?? '')?.get(name);
    return {
      runs,
      valueAt(index, field) {
        const run = runs[index];
        if (run === undefined) return undefined;
        const metric = metricOfColumn(field);
        if (metric !== null) {
          const summary = summaryOf(index, metric);
          return summary === undefined ? undefined : summaryValue(summary);
        }
        const path = pathOfColumn(field);
        if (path !== null) return configurationValue({ dataset: null, ...run.configuration }, path);
        return { kind: run.configuration.kind, seed: run.seed, name: run.name }[field];
      },
      directionOf(metric) {
        for (const run of runs) {
          const direction = found.get(run.id)?.get(metric)?.direction;
          if (direction !== undefined && direction !== null) return direction === 'higher' ? 'higher' : 'lower';
        }
        return null;
      },
    };
  }, [runs, found]);
}

/** Numbers that differ by such a factor are laid out by their logarithms. */
const WIDE = 50;
/** Numbers with few different values among many runs are categories of their own on heat maps. */
const MOST_CATEGORIES = 40;

/** The axis for some values: numbers along a line, or everything as categories. Numbers that are not finite have no place on it. */
export function axisOfValues(values: readonly unknown[], { asCategories = false } = {}): ValueAxis {
  const present = values.filter(hasPlace);
  const numbers = present.filter((value) => typeof value === 'number');
  if (!asCategories && numbers.length === present.length && numbers.length > 0) {
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    return numberAxis(low, high, { logarithmic: low > 0 && high / low > WIDE });
  }
  const distinct = [...new Map(present.map((value) => [JSON.stringify(value), value])).values()];
  const sorted =
    numbers.length === present.length
      ? (distinct as number[]).sort((a, b) => a - b)
      : distinct.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return categoryAxis(sorted.slice(0, MOST_CATEGORIES));
}

/** Where values lie on an axis; NaN for those that have no place. */
export function placesOn(axis: ValueAxis, values: readonly unknown[]): Float64Array {
  return Float64Array.from(values, (value) => (hasPlace(value) ? axis.place(value) : Number.NaN));
}

function hasPlace(value: unknown): boolean {
  return value !== undefined && value !== null && (typeof value !== 'number' || Number.isFinite(value));
}

/** Fields of the configurations that differ between the runs, as columns; kind and dataset first. */
export function varyingFields(runs: readonly SubjectRun[], most: number): string[] {
  const values = new Map<string, Set<string>>();
  const note = (field: string, value: unknown) => {
    const seen = values.get(field) ?? new Set<string>();
    values.set(field, seen.add(JSON.stringify(value ?? null)));
  };
  for (const { configuration } of runs) {
    note('kind', configuration.kind);
    note('config.dataset.name', configuration.datasetName);
    for (const [path, value] of flattenJson(configuration.parameters, 'parameters')) note(`config.${path}`, value);
  }
  return [...values].flatMap(([field, seen]) => (seen.size > 1 ? [field] : [])).slice(0, most);
}

/** 0 (worst) to 1 (best) by rank; NaN without a value. Without a direction higher counts as good. */
export function goodnessOf(values: ArrayLike<number>, direction: 'higher' | 'lower' | null): Float64Array {
  const goodness = new Float64Array(values.length).fill(Number.NaN);
  const known = Array.from({ length: values.length }, (_, index) => index).filter((index) =>
    Number.isFinite(values[index]),
  );
  known.sort((a, b) => (direction === 'lower' ? values[b]! - values[a]! : values[a]! - values[b]!));
  for (const [rank, index] of known.entries()) goodness[index] = known.length === 1 ? 1 : rank / (known.length - 1);
  return goodness;
}

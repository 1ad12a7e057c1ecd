import type { Range } from '#web/charts/plot/parallelTypes.ts';

/** An axis with the value of each run, and where it stands along the axis. */
export interface ChosenAxis {
  /** The field as the filter language names it. */
  id: string;
  values: readonly unknown[];
  places: Float64Array;
  categories: number | null;
}

/**
 * What is chosen along axes as a filter: of numbers from the smallest to the largest that the runs have in the range, of
 * categories each. `config.parameters.dimension >= 32 and config.parameters.dimension <= 64 and kind in (sasrec)`.
 */
export function rangeFilter(axes: readonly ChosenAxis[], ranges: Readonly<Record<string, Range>>): string {
  const parts = axes.flatMap(({ id, values, places, categories }) => {
    const range = ranges[id];
    if (range === undefined) return [];
    const chosen = values.filter((_, index) => places[index]! >= range[0] && places[index]! <= range[1]);
    const field = filterField(id);
    const numbers = chosen.filter((value) => typeof value === 'number');
    if (categories === null && numbers.length > 0) {
      const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
      return low === high ? [`${field} = ${low}`] : [`${field} >= ${low} and ${field} <= ${high}`];
    }
    const distinct = [...new Set(chosen.flatMap((value) => literal(value) ?? []))];
    return distinct.length === 0 ? [] : [`${field} in (${distinct.join(', ')})`];
  });
  return parts.join(' and ');
}

/** The dataset of a run has a field of its own. */
function filterField(id: string): string {
  return id === 'config.dataset.name' ? 'dataset' : id;
}

function literal(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : null;
}

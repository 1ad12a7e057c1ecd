import * as z from 'zod/mini';
import { createStore } from '#web/lib/store.ts';

const KEY = 'warren.wholeAxes';
const MOST_KEPT = 100;
const namesSchema = z.array(z.string());

/** Metrics whose charts show all values, outliers too, as this browser's user chose. */
export const wholeAxes = createStore<readonly string[]>(read());

/** Shows all values of a metric, or leaves outliers out again, from now on. */
export function setWhole(metric: string, whole: boolean): void {
  const others = wholeAxes.get().filter((name) => name !== metric);
  const names = whole ? [...others, metric].slice(-MOST_KEPT) : others;
  wholeAxes.set(names);
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // a browser that keeps nothing has it until the page closes
  }
}

function read(): readonly string[] {
  try {
    const kept = namesSchema.safeParse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
    return kept.success ? kept.data : [];
  } catch {
    return [];
  }
}

import { createStore } from '../lib/store.ts';

export type Density = 'comfortable' | 'compact';

const KEY = 'warren.density';

/** How close the rows of tables stand, as this browser's user chose. */
export const density = createStore<Density>(readDensity());

/** Keeps a choice in this browser. */
export function chooseDensity(choice: Density): void {
  density.set(choice);
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // a browser that keeps nothing has it until the page closes
  }
}

function readDensity(): Density {
  try {
    return localStorage.getItem(KEY) === 'compact' ? 'compact' : 'comfortable';
  } catch {
    return 'comfortable';
  }
}

import { plainJson } from './values.ts';

/** The newest value of each name, which a program reads and sets. */
export interface RunSummary {
  values: Record<string, unknown>;
  /** What is logged is newer than what was set. */
  note(logged: Readonly<Record<string, unknown>>): void;
  /**
   * What was set and not logged since. `again`: names that had been logged before; the server keeps the first value of a step, so
   * that they need a later one.
   */
  unlogged(): { first: Record<string, unknown>; again: Record<string, unknown> };
}

export function runSummary(): RunSummary {
  const newest: Record<string, unknown> = {};
  const set = new Map<string, unknown>();
  const again = new Set<string>();
  const valuesOf = (isAgain: boolean) => Object.fromEntries([...set].filter(([name]) => again.has(name) === isAgain));
  return {
    values: new Proxy(newest, {
      set(target, given, value: unknown) {
        const name = String(given);
        if (name in target && !set.has(name)) again.add(name);
        set.set(name, value);
        target[name] = plainJson(value);
        return true;
      },
    }),
    note(logged) {
      for (const name of set.keys()) if (name in logged) set.delete(name);
      Object.assign(newest, logged);
    },
    unlogged: () => ({ first: valuesOf(false), again: valuesOf(true) }),
  };
}

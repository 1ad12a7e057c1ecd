/** Values by their keys, as many as there is room for. */
export interface BoundedCache<Key, Value> {
  get(key: Key): Value | undefined;
  /** Keeps a value of this weight; those go that were not used for the longest time, until the others fit. */
  set(key: Key, value: Value, weight: number): void;
}

/** @param most Weight of all values together. What is heavier by itself is not kept. */
export function createBoundedCache<Key, Value>(most: number): BoundedCache<Key, Value> {
  // a Map lists its entries in the order in which they were set: the least recently used is the first
  const entries = new Map<Key, { value: Value; weight: number }>();
  let held = 0;

  function remove(key: Key): void {
    held -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, weight) {
      remove(key);
      if (weight > most) return;
      entries.set(key, { value, weight });
      held += weight;
      for (const oldest of entries.keys()) {
        if (held <= most) break;
        remove(oldest);
      }
    },
  };
}

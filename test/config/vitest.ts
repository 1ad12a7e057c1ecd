import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

// vitest 5 prints failures with Map.groupBy, which Node 20 lacks: without this a failing test hides its own message.
if (!('groupBy' in Map)) {
  Object.defineProperty(Map, 'groupBy', {
    configurable: true,
    writable: true,
    value: <Key, Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key): Map<Key, Item[]> => {
      const groups = new Map<Key, Item[]>();
      let index = 0;
      for (const item of items) {
        const key = keyOf(item, index++);
        const group = groups.get(key);
        if (group) group.push(item);
        else groups.set(key, [item]);
      }
      return groups;
    },
  });
}

// Node gives type-graphql and Apollo the CommonJS build of graphql; vite would give our own files the other one, and
// graphql refuses types from two copies of itself.
const graphql = createRequire(import.meta.url).resolve('graphql');
const resolve = { alias: [{ find: /^graphql$/, replacement: graphql }] };

const shared = { testTimeout: 60_000, hookTimeout: 120_000, exclude: ['**/node_modules/**', '**/dist/**'] };

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    reporters: ['default'],
    projects: [
      {
        resolve,
        test: {
          ...shared,
          name: 'fast',
          include: ['test/{unit,oracles,properties,architecture,backends}/**/*.test.ts'],
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'services',
          include: ['test/{integration,browser}/**/*.test.ts'],
          testTimeout: 180_000,
          // Each file has servers of its own and mostly waits for them; more at once would make their deadlines a lottery.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

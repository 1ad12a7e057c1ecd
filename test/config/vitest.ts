import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 60_000, hookTimeout: 120_000, exclude: ['**/node_modules/**', '**/dist/**'] };

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          ...shared,
          name: 'fast',
          include: ['test/{unit,oracles,properties,architecture}/**/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'services',
          include: ['test/{integration,browser}/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
        },
      },
    ],
  },
});

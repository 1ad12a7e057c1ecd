import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './longestFirst.ts';
import { nameSecondTries } from './secondTries.ts';
import { findLeftFolders } from './leftFolders.ts';
import { printTimesByFile } from './timesByFile.ts';
import { PROVED_FILES } from './proofs.ts';
import { untouchedTests } from './changedTests.ts';
import { slowness } from '../integration/support/slowness.ts';

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

// Reading the certificates that it names takes a tenth of a short process's time; no test leaves the machine.
delete process.env.NODE_EXTRA_CA_CERTS;
// Python otherwise compiles a package of hundreds of files, such as MLflow, at each start: half of the time of that.
delete process.env.PYTHONDONTWRITEBYTECODE;

// Leases, beats and looks of all processes take two fifths of their real time. With less, leases would end while all files at
// once leave a worker no time to renew them, and looking takes more of the processor than waiting less saves: with a fifth, an idle
// Warren takes two to three times as much. Proofs at full size keep the real clock.
process.env.WARREN_TIMING ??= PROVED_FILES.length > 0 ? '1' : '0.4';

const half = Math.floor(availableParallelism() / 2);
/** Files at once of those that compute. */
const COMPUTING = Math.max(4, half);
/** Files at once of those with services, which wait for processes now and then. With seven, deadlines of seconds were missed. */
const WAITING = Math.max(5, half);

/** Tests without services that train networks or go through whole datasets: minutes together. */
const LONG = [
  'test/unit/{experiments,models}/**/*.test.ts',
  'test/unit/wasm/{kernels,linearAlgebra/linearAlgebra}.test.ts',
  'test/unit/math/activations/quadratureActivation.test.ts',
  'test/unit/figures/reportFigure.test.ts',
  'test/properties/{readerFuzz,splitAndReaders}.test.ts',
  'test/oracles/{leporid,sequenceNeighbours,sevo,sevoPresets,overrecBeauty,overrecMl100k,overrecSensitivity}.test.ts',
];

const SLOWNESS = slowness();
/** `npm test -- --changed` leaves them out. */
const UNTOUCHED = process.env.WARREN_TEST_CHANGED === undefined ? [] : untouchedTests(process.env.WARREN_TEST_CHANGED);

const shared = {
  testTimeout: 120_000 * SLOWNESS,
  hookTimeout: 120_000 * SLOWNESS,
  // What is polled may come late on a busy machine: by default vitest gives it one second.
  expect: { poll: { timeout: 20_000 * SLOWNESS } },
  setupFiles: ['test/config/endOfFile.ts'],
  maxWorkers: COMPUTING,
  exclude: ['**/node_modules/**', '**/dist/**', ...UNTOUCHED],
};

/** For files with services. */
const withServices = {
  ...shared,
  // As in `fast`: most of a short file's time would go into loading the API.
  isolate: false,
  globalSetup: ['test/integration/support/sharedPostgres.ts'],
  testTimeout: 180_000 * SLOWNESS,
};

const USUAL = [
  {
    resolve,
    test: {
      ...shared,
      name: 'fast',
      include: ['test/{unit,oracles,properties,architecture}/**/*.test.ts'],
      exclude: [...shared.exclude, ...LONG],
      // Modules are loaded once a worker, not once a file: what a file leaves changed, it puts back.
      isolate: false,
    },
  },
  {
    resolve,
    test: {
      ...shared,
      name: 'numerics',
      include: LONG,
      isolate: false,
    },
  },
  {
    resolve,
    test: {
      ...shared,
      name: 'backends',
      // Isolated: they close and exchange tfjs's backends, of which there is one of a name.
      include: ['test/backends/**/*.test.ts'],
    },
  },
  {
    resolve,
    test: {
      ...withServices,
      name: 'services',
      include: ['test/{integration,browser}/**/*.test.ts'],
      maxWorkers: WAITING,
      // after all others: vitest has one number of workers at a time
      sequence: { groupOrder: 1 },
      // A landing does not fail because a machine under load was late once; `nameSecondTries` tells what needed it.
      retry: process.env.CI ? 1 : 0,
    },
  },
];

/** What is long by nature, at full size, one file after the other: `npm run -s prove -- NAME`. */
const PROVE = {
  resolve,
  test: { ...withServices, name: 'prove', include: [...PROVED_FILES], maxWorkers: 1, testTimeout: 3_600_000 },
};

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    reporters: [
      nameSecondTries(),
      findLeftFolders(),
      'default',
      ...(process.env.WARREN_TEST_TIMES === undefined ? [] : [printTimesByFile()]),
    ],
    sequence: { sequencer: LongestFirst },
    projects: PROVED_FILES.length > 0 ? [PROVE] : USUAL,
  },
});

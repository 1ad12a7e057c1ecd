import { expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { logMedia } from '#src/media/logMedia.ts';
import { listMediaNames } from '#src/media/store/mediaOfRuns.ts';
import { apiForTests } from './support/apiForTests.ts';
import { createExternalRun } from './support/externalRunCalls.ts';

const api = await apiForTests();

const LOG = 'mutation ($runId: ID!, $items: [MediaInput!]!) { logMedia(runId: $runId, items: $items) }';
const NAMES = 'query ($ids: [ID!]!) { mediaNames(runIds: $ids) { name kind runCount steps } }';
const AT = `query ($ids: [ID!]!, $name: String!, $step: Step, $first: Int) {
  mediaAtStep(runIds: $ids, name: $name, step: $step, first: $first) { runId step count items { index caption kind url } } }`;

const METADATA = { edges: [0, 1, 2], counts: [3, 4] };

/** Logs a histogram at each of these steps, `count` of them at each. */
async function logAt(runId: string, { name, steps, count = 1 }: { name: string; steps: number[]; count?: number }) {
  const items = steps.flatMap((step) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ name, step, index, kind: 'histogram', metadata: METADATA, caption: `${step}.${index}` },
    })),
  );
  await api.ok(LOG, { runId, items });
}

const [first, second, third] = [
  await createExternalRun(api),
  await createExternalRun(api),
  await createExternalRun(api),
];
await logAt(first, { name: 'weights', steps: [0, 10, 20], count: 3 });
await logAt(first, { name: 'only', steps: [5] });
await logAt(second, { name: 'weights', steps: [5, 10] });
const ids = [second, third, first];

test('several runs tell what they have to look at: names, kinds, how many runs, and all their steps', async () => {
  expect((await api.ok(NAMES, { ids })).mediaNames).toEqual([
    { name: 'only', kind: 'histogram', runCount: 1, steps: [5] },
    { name: 'weights', kind: 'histogram', runCount: 2, steps: [0, 5, 10, 20] },
  ]);
  expect((await api.ok(NAMES, { ids: [third] })).mediaNames).toEqual([]);
});

test('each run shows what it has at its last step up to one, in the order of the runs; those without are left out', async () => {
  const at = async (variables: Record<string, unknown>): Promise<{ step: number; items: unknown[] }[]> =>
    (await api.ok(AT, { ids, name: 'weights', ...variables })).mediaAtStep;
  const newest = await at({});
  expect(newest).toEqual([
    { runId: second, step: 10, count: 1, items: [{ index: 0, caption: '10.0', kind: 'histogram', url: null }] },
    { runId: first, step: 20, count: 3, items: [{ index: 0, caption: '20.0', kind: 'histogram', url: null }] },
  ]);
  expect((await at({ step: 7, first: 2 })).map(({ step, items }) => [step, items.length])).toEqual([
    [5, 1],
    [0, 2],
  ]);
  expect(await at({ step: 4 })).toMatchObject([{ runId: first, step: 0 }]);
  expect(await at({ name: 'weight' })).toEqual([]);
});

test('what cannot be is refused with its path', async () => {
  const refused = async (query: string, variables: Record<string, unknown>) => {
    const [error] = (await api.graphql(query, variables)).errors;
    return [error?.extensions.code, error?.extensions.path];
  };
  expect(await refused(AT, { ids: [first, '999999'], name: 'weights' })).toEqual(['BAD_INPUT', 'runIds[1]']);
  expect(await refused(NAMES, { ids: [] })).toEqual(['BAD_INPUT', 'runIds']);
  expect(await refused(AT, { ids, name: '' })).toEqual(['BAD_INPUT', 'name']);
  expect(await refused(AT, { ids, name: 'weights', first: 21 })).toEqual(['BAD_INPUT', 'first']);
});

test('of very many steps so many are told, with the first and the last', async () => {
  const db = openDatabase(api.postgres.url);
  const runId = await createExternalRun(api);
  const items = Array.from({ length: 900 }, (_, step) => ({
    ...{ name: 'long', step, kind: 'histogram' as const, metadata: METADATA },
  }));
  await logMedia({ db }, { runId, items });
  const [found] = await listMediaNames(db, [runId], { mostNames: 5, mostSteps: 100 });
  expect(found).toMatchObject({ name: 'long', runCount: 1 });
  expect([found?.steps.length, found?.steps[0], found?.steps.at(-1)]).toEqual([100, 0, 899]);
  await closeDatabase(db);
});

import { expect, test } from 'vitest';
import { generatedItemTable } from '#workers/data/generate/generatedItemTable.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';
import { itemLabels } from '#workers/experiments/embeddings/itemLabels.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { selectionOf } from '../data/dataFiles.ts';
import {
  type GivenContext,
  cancellationWhen,
  lastValues,
  type Recorded,
  recordingContext,
} from './recordingContext.ts';

const NAME = 'generated/clusters-80x60';
const DATASET = await loadSequenceDataset(selectionOf(NAME), { folders: [], cacheFolder: null });
const ITEMS = generatedItemTable(NAME)!;
const SMALL = { neighbours: 8, mapEpochs: 50, purityNeighbours: 5 };

async function run(parameters: object, over: GivenContext = {}): Promise<Recorded> {
  const items = async () => ITEMS;
  const { recorded, context } = recordingContext<unknown>(DATASET, { ...SMALL, ...parameters }, { items, ...over });
  await experimentOf('embedding-map')(context);
  return recorded;
}

/** Two numbers an item, at the corner of its cluster but for `noise`. */
function embeddings(noise: number): Uint8Array {
  const generator = randomGenerator(1, 'noise');
  const rows = DATASET.itemIds.flatMap((id) => {
    const cluster = Number(/\d+$/.exec(ITEMS.get(id)!.genres[0]!)![0]);
    return [5 * cluster, cluster ** 2].map((value) => value + noise * generator.normal());
  });
  return encodeNpy(Float32Array.from(rows), [DATASET.itemCount, 2]);
}

test('embeddings of other runs are drawn side by side, and purity tells which keeps genres together', async () => {
  const inputs = new Map([
    ['noisy', embeddings(50)],
    ['clean', embeddings(0.1)],
  ]);
  const recorded = await run({}, { inputs });
  const values = lastValues(recorded);
  expect(values['clean/purity']).toBe(1);
  expect(values['clean/map-purity']).toBeGreaterThan(0.9);
  expect(values['noisy/purity']).toBeLessThan(0.5);
  expect(values.purity).toBe(1);
  expect(recorded.notes.get('purest')).toBe('clean');
  expect(values['chance/purity']).toBeGreaterThan(0);
  const map = JSON.parse(Buffer.from(recorded.artifacts.get('map.json')!).toString('utf8'));
  expect(map.panels.map(({ title }: { title: string }) => title.split(':')[0])).toEqual(['clean', 'noisy']);
  expect(recorded.progress.at(-1)).toBe(1);
  expect((await run({}, { inputs })).artifacts.get('map.csv')).toEqual(recorded.artifacts.get('map.csv'));
});

test('embeddings can be computed, too', async () => {
  const recorded = await run({ method: 'svd', dimension: 4 });
  expect(lastValues(recorded)['svd/purity']).toBeGreaterThan(2 * lastValues(recorded)['chance/purity']!);
});

test('what does not fit is refused with its place', async () => {
  const given = (name: string, file: Uint8Array) => ({ inputs: new Map([[name, file]]) });
  const other = encodeNpy(new Float32Array(8), [4, 2]);
  const broken = encodeNpy(new Float32Array(DATASET.itemCount).fill(Number.NaN), [DATASET.itemCount, 1]);
  await expect(run({})).rejects.toMatchObject({ path: 'inputs', message: expect.stringMatching(/the run has none/) });
  await expect(run({}, given('a', other))).rejects.toThrow(/inputs\.a: it has 4 rows; expected 60/);
  await expect(run({}, given('a', broken))).rejects.toThrow(/not finite/);
  await expect(run({}, given('A b', other))).rejects.toThrow(/expected small letters/);
  await expect(run({ method: 'svd' }, given('a', other))).rejects.toThrow(/expected method input/);
  await expect(run({ neighbours: 60 }, given('a', embeddings(1)))).rejects.toMatchObject({
    path: 'parameters.neighbours',
    message: expect.stringMatching(/only 60 items/),
  });
  const noGenres = async () => new Map([...ITEMS].map(([id, info]) => [id, { ...info, genres: [] }]));
  await expect(run({}, { ...given('a', embeddings(1)), items: noGenres })).rejects.toThrow(/0 genres/);
});

test('a map that is being drawn can be cancelled', async () => {
  const inputs = new Map([['a', embeddings(1)]]);
  let asked = 0;
  const cancellation = cancellationWhen(() => ++asked > 20);
  await expect(run({ mapEpochs: 100_000 }, { inputs, cancellation })).rejects.toMatchObject({ code: 'CANCELLED' });
});

test('a film is in the category of most of its genres; of equals, in that of the first', async () => {
  const genres = [['Drama', 'Crime', 'Thriller'], ['Comedy', 'Drama'], ['unknown'], ['Western']];
  const dataset = { ...DATASET, itemIds: ['1', '2', '3', '4'] };
  const items = async () => new Map(genres.map((own, place) => [String(place + 1), { title: 'film', genres: own }]));
  const { context } = recordingContext(dataset, {}, { items });
  const labels = await itemLabels(context, 'categories');
  const labelled = Array.from(labels.labelOf, (label) => labels.names[label] ?? null);
  expect(labelled).toEqual([
    'Thriller, Crime, Action, Adventure',
    "Comedy, Musical, Children's, Animation",
    null,
    'Western, Documentary',
  ]);
  const first = await itemLabels(context, 'genres');
  expect(Array.from(first.labelOf, (label) => first.names[label] ?? null)).toEqual([
    'Drama',
    'Comedy',
    null,
    'Western',
  ]);
});

import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ItemInfo } from '#workers/data/read/readItemTable.ts';
import { randomByItem } from '#workers/data/split/randomByItem.ts';
import { classificationMetrics } from '#workers/evaluation/metrics/classificationMetrics.ts';
import { fitBinary, fitLogistic, logisticScores, predictLogistic } from '#workers/features/logisticRegression.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { ExperimentContext } from '../experiment.ts';
import type { ItemRepresentation } from './featurizedRows.ts';

export interface GenreTask {
  genres: readonly string[];
  /** Items whose genre is learned and those on which it is tested. */
  train: Uint32Array;
  test: Uint32Array;
  /** (items) Genres of each item, as numbers; empty where none is known. */
  genresOf: readonly (readonly number[])[];
  how: 'first' | 'single' | 'all';
}

export interface GenreScores {
  accuracy: number;
  macroF1: number;
}

type Context = Pick<
  ExperimentContext<{ genres: GenreTask['how']; inverseStrength: number }>,
  'parameters' | 'data' | 'reporter'
>;

/**
 * Which items have a genre, and which of them train: those that are in some sequence, 80 % to 20 % at random unless the
 * dataset's shares say otherwise. Throws DATA_ERROR where fewer than two genres are known.
 */
export async function genreTask({ data, parameters, reporter }: Context): Promise<GenreTask> {
  const { split } = data;
  const dataset = await data.sequences();
  const known = await data.items();
  const met = new Uint8Array(dataset.itemCount);
  for (const item of dataset.items) met[item] = 1;
  const numbers = new Map<string, number>();
  const genresOf = dataset.itemIds.map((id, item) =>
    met[item] === 0 ? [] : labelsOf(known.get(id), parameters.genres, numbers),
  );
  const labelled = Uint32Array.from(genresOf.flatMap((genres, item) => (genres.length > 0 ? [item] : [])));
  if (numbers.size < 2) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${dataset.name}": ${numbers.size} genres of its items are known; expected at least 2`,
      {
        path: 'dataset.name',
      },
    );
  }
  const shares = split.shares ?? { train: 0.8, validation: 0, test: 0.2 };
  const parts = randomByItem(labelled.length, shares, randomGenerator(split.seed ?? 0, 'genre items'));
  const [train, test] = [parts.train, parts.test].map((part) => part.map((place) => labelled[place]!));
  if (train!.length === 0 || test!.length === 0) {
    throw new WarrenError('DATA_ERROR', `${labelled.length} items with a genre are too few to train and to test on`, {
      path: 'dataset',
    });
  }
  reporter.note('genreItems', {
    known: labelled.length,
    train: train!.length,
    test: test!.length,
    genres: [...numbers.keys()],
  });
  return { genres: [...numbers.keys()], train: train!, test: test!, genresOf, how: parameters.genres };
}

function labelsOf(info: ItemInfo | undefined, how: GenreTask['how'], numbers: Map<string, number>): number[] {
  const genres = info?.genres ?? [];
  if (genres.length === 0 || (how === 'single' && genres.length > 1)) return [];
  const wanted = how === 'all' ? [...new Set(genres)] : genres.slice(0, 1);
  return wanted.map((genre) => {
    if (!numbers.has(genre)) numbers.set(genre, numbers.size);
    return numbers.get(genre)!;
  });
}

/** Accuracy and macro F1 on the test items of a logistic regression on a representation, fitted to its global optimum. */
export function genreScores(
  task: GenreTask,
  representation: ItemRepresentation,
  options: { inverseStrength: number; pulse: () => void },
): GenreScores {
  const train = { features: rowsOf(representation, task.train), width: representation.width };
  const test = { features: rowsOf(representation, task.test), width: representation.width };
  if (task.how === 'all') return everyGenre(task, { train, test }, options);
  const classOf = (item: number): number => task.genresOf[item]![0]!;
  const model = fitLogistic(train, Array.from(task.train, classOf), { ...options, classes: task.genres.length });
  return classificationMetrics(predictLogistic(model, test), Array.from(task.test, classOf));
}

interface Samples {
  features: Float64Array;
  width: number;
}

function everyGenre(
  task: GenreTask,
  { train, test }: { train: Samples; test: Samples },
  options: { inverseStrength: number; pulse: () => void },
): GenreScores {
  let right = 0;
  let f1 = 0;
  for (const genre of task.genres.keys()) {
    const has = (item: number): number => (task.genresOf[item]!.includes(genre) ? 1 : 0);
    const model = fitBinary(train, Array.from(task.train, has), options);
    const scores = logisticScores(model, test);
    const counts = { hits: 0, predicted: 0, actual: 0 };
    for (const [row, item] of task.test.entries()) {
      const [predicted, actual] = [scores[row]! > 0 ? 1 : 0, has(item)];
      if (predicted === actual) right++;
      counts.hits += predicted * actual;
      counts.predicted += predicted;
      counts.actual += actual;
    }
    if (counts.hits > 0) f1 += (2 * counts.hits) / (counts.predicted + counts.actual);
  }
  return { accuracy: right / (task.genres.length * task.test.length), macroF1: f1 / task.genres.length };
}

function rowsOf({ values, width }: ItemRepresentation, items: Uint32Array): Float64Array {
  const rows = new Float64Array(items.length * width);
  for (const [row, item] of items.entries()) rows.set(values.subarray(item * width, (item + 1) * width), row * width);
  return rows;
}

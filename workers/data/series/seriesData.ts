import { createHash } from 'node:crypto';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { locateDataset } from '../load/locateDataset.ts';
import { type DailyPrices, readPrices } from '../read/readPrices.ts';
import { type LabelledSeries, readSeries } from '../read/readSeries.ts';

/** Labelled series with the archive's own split. Labels of both parts are places in the same `classes`. */
export interface ClassifiedSeries {
  holds: 'series';
  name: string;
  /** sha256 of the series and labels of both parts. */
  fingerprint: string;
  classes: readonly string[];
  train: LabelledSeries;
  test: LabelledSeries;
}

/** Daily prices of a share. */
export interface PriceSeries {
  holds: 'prices';
  name: string;
  /** sha256 of the days and prices. */
  fingerprint: string;
  prices: DailyPrices;
}

export type SeriesData = ClassifiedSeries | PriceSeries;

/** Folders are searched in their order; lenient skips lines that cannot be read. */
export interface SeriesLoadOptions {
  folders: readonly string[];
  lenient?: boolean;
}

function hashOf(tag: string, arrays: readonly (Float64Array | Uint32Array)[]): string {
  const hash = createHash('sha256').update(`${tag}\n`);
  for (const array of arrays) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return hash.digest('hex');
}

/** The part with its labels numbered by `classes`. */
function relabelled(part: LabelledSeries, classes: readonly string[]): LabelledSeries {
  const places = part.classes.map((name) => classes.indexOf(name));
  return { ...part, classes, labels: part.labels.map((label) => places[label]!) };
}

async function loadClassified(
  name: string,
  { path, testPath, lenient }: { path: string; testPath: string | null | undefined; lenient: boolean },
): Promise<ClassifiedSeries> {
  if (testPath === null || testPath === undefined) {
    throw new WarrenError('DATA_ERROR', `dataset "${name}": ${path} is there, but not its test part beside it`, {
      path: 'dataset.name',
    });
  }
  const [train, test] = [await readSeries(path, { lenient }), await readSeries(testPath, { lenient })];
  const unseen = test.classes.filter((label) => !train.classes.includes(label));
  const classes = [...train.classes, ...unseen];
  if (train.classes.length < 2) {
    throw new WarrenError(
      'DATA_ERROR',
      `dataset "${name}": all series of ${path} have the label "${classes[0]}", so that there is nothing to tell apart. Expected two classes or more: is the label the first column?`,
      { path: 'dataset.name' },
    );
  }
  const parts = { train: relabelled(train, classes), test: relabelled(test, classes) };
  const arrays = Object.values(parts).flatMap(({ values, offsets, labels }) => [offsets, labels, values]);
  const fingerprint = hashOf(`warren-series-1 ${JSON.stringify(classes)}`, arrays);
  return { holds: 'series', name, fingerprint, classes, ...parts };
}

/**
 * Loads a dataset of labelled series (`ucr/…`) or of daily prices. Throws DATA_ERROR where it is not found, has no test part,
 * holds something else, or as its reader does.
 */
export async function loadSeriesData(name: string, options: SeriesLoadOptions): Promise<SeriesData> {
  const { folders, lenient = false } = options;
  const located = locateDataset(name, folders);
  const { path, format, testPath } = located;
  if (format === 'series') return loadClassified(located.name, { path, testPath, lenient });
  if (format === 'prices') {
    const prices = await readPrices(path, { lenient });
    const { days, open, high, low, close, volume } = prices;
    const fingerprint = hashOf('warren-prices-1', [days, open, high, low, close, volume]);
    return { holds: 'prices', name: located.name, fingerprint, prices };
  }
  throw new WarrenError(
    'DATA_ERROR',
    `dataset "${name}" holds no series: expected one such as ucr/GunPoint, or NAME_TRAIN.tsv and NAME_TEST.tsv in a data folder`,
    {
      path: 'dataset.name',
    },
  );
}

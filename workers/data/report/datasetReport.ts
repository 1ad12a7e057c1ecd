import type { DatasetInfo, PublishedStatistics } from '#src/catalog/datasetInfo.ts';
import { knownDataset } from '#src/catalog/datasets.ts';
import { type DatasetSelection, datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { generatedHolds, isGenerated, parseGeneratedName } from '#src/catalog/generatedDatasets.ts';
import { describeIssues } from '#src/catalog/describeIssues.ts';
import type { DatasetReport, SequenceReport } from '#src/base/contracts/datasetReport.ts';
import { badInput, toErrorRecord } from '#src/base/contracts/errors.ts';
import { loadLabelledText } from '../load/loadLabelledText.ts';
import { type LoadOptions, loadSequenceDataset } from '../load/loadSequenceDataset.ts';
import { type LocatedDataset, locateDataset, locateItemTable } from '../load/locateDataset.ts';
import { readItemTable } from '../read/readItemTable.ts';
import { type LabelledTexts, readLabelledText } from '../read/readLabelledText.ts';
import { readPrices } from '../read/readPrices.ts';
import { type LabelledSeries, readSeries } from '../read/readSeries.ts';
import { preprocessingWords, sequenceReport } from './sequenceReport.ts';
import { sourceChecksum } from '../load/sourceChecksum.ts';

export type ReportOptions = Pick<LoadOptions, 'folders' | 'cacheFolder'> & {
  /** Skip lines that cannot be read. Off. */
  lenient?: boolean;
  /** How it is prepared before it is counted; as the file is, where it is missing. */
  preparation?: Readonly<Record<string, unknown>>;
};

type Parts = Omit<DatasetReport, 'name' | 'path' | 'loadSeconds' | 'notes'>;

const NONE = { sequences: null, series: null, prices: null, text: null } as const;

/**
 * What a dataset holds, as plain data: counts, distributions and samples; for known ones beside what papers print, counted
 * under each paper's preprocessing. Reads sequences, series, prices and texts alike. Throws as the readers do.
 */
export async function datasetReport(name: string, options: ReportOptions): Promise<DatasetReport> {
  const started = performance.now();
  const notes: string[] = [];
  const known = knownDataset(name);
  const located = isGenerated(name) ? null : locateDataset(name, options.folders);
  const parts = await partsOf(located, { name, known, options, warn: (text) => notes.push(text) });
  return {
    name: located?.name ?? name,
    path: located?.path ?? null,
    ...parts,
    loadSeconds: (performance.now() - started) / 1000,
    notes: [...new Set(notes)],
  };
}

interface Asked {
  name: string;
  known: DatasetInfo | undefined;
  options: ReportOptions;
  warn: (text: string) => void;
}

async function partsOf(located: LocatedDataset | null, asked: Asked): Promise<Parts> {
  const { cacheFolder, lenient = false } = asked.options;
  const format = located?.format;
  if (isGenerated(asked.name) && generatedHolds(parseGeneratedName(asked.name).what) === 'text') {
    const data = await loadLabelledText(asked.name, { folders: [] });
    return { ...NONE, fingerprint: data.fingerprint, text: ofText(data) };
  }
  if (located === null || (format !== 'series' && format !== 'prices' && format !== 'text')) return ofSequences(asked);
  const fingerprint = await sourceChecksum(located.path, cacheFolder);
  if (format === 'prices') return { ...NONE, fingerprint, prices: await ofPrices(located.path, lenient) };
  if (format === 'text') {
    return { ...NONE, fingerprint, text: ofText(await readLabelledText(located.path, { lenient })) };
  }
  return { ...NONE, fingerprint, series: await ofSeries(located, lenient) };
}

async function ofSequences({ name, known, options, warn }: Asked): Promise<Parts> {
  const parsed = datasetSelectionSchema.safeParse({ ...options.preparation, name });
  if (!parsed.success) {
    const known = Object.keys(datasetSelectionSchema.shape);
    const issues = describeIssues(parsed.error.issues, { input: options.preparation, prefix: '', known });
    throw badInput(`--set: ${issues.map(({ path, message }) => `${path}: ${message}`).join('; ')}`, '--set');
  }
  const plain: DatasetSelection = { ...datasetSelectionSchema.parse({ name }), lenient: options.lenient ?? false };
  const selection: DatasetSelection = { ...parsed.data, lenient: plain.lenient };
  const load = { ...options, countOnly: true };
  const dataset = await loadSequenceDataset(selection, { ...load, warn });
  const itemPath = isGenerated(name) ? null : locateItemTable(known?.name ?? name, options.folders);
  const info = itemPath === null ? new Map() : await readItemTable(itemPath);
  const report = sequenceReport(dataset, info);
  for (const published of known?.published ?? []) report.comparisons.push(await compare(published, plain, load));
  return { ...NONE, fingerprint: dataset.fingerprint, sequences: report };
}

async function compare(
  published: PublishedStatistics,
  selection: DatasetSelection,
  options: LoadOptions,
): Promise<SequenceReport['comparisons'][number]> {
  const { source, users, items, interactions, preprocessing = {}, note = null } = published;
  let counted: SequenceReport['comparisons'][number]['counted'] = null;
  try {
    const dataset = await loadSequenceDataset({ ...selection, ...preprocessing }, options);
    counted = { users: dataset.userCount, items: dataset.itemCount, interactions: dataset.items.length };
  } catch (thrown) {
    // an empty core is an answer; anything else was met before, without preprocessing
    if (toErrorRecord(thrown).code !== 'DATA_ERROR') throw thrown;
  }
  return {
    source,
    preprocessing: preprocessingWords(preprocessing),
    published: { users, items, interactions },
    counted,
    note,
  };
}

function partOf({ offsets, missing }: LabelledSeries) {
  let [shortest, longest] = [Number.POSITIVE_INFINITY, 0];
  for (let series = 0; series + 1 < offsets.length; series++) {
    const length = offsets[series + 1]! - offsets[series]!;
    shortest = Math.min(shortest, length);
    longest = Math.max(longest, length);
  }
  return { series: offsets.length - 1, shortest, longest, missing };
}

async function ofSeries({ path, testPath }: LocatedDataset, lenient: boolean): Promise<DatasetReport['series']> {
  const train = await readSeries(path, { lenient });
  const test = testPath ? await readSeries(testPath, { lenient }) : null;
  const countIn = (part: LabelledSeries | null, label: string): number => {
    const place = part?.classes.indexOf(label) ?? -1;
    return part?.labels.reduce((count, own) => (own === place ? count + 1 : count), 0) ?? 0;
  };
  const labels = [...new Set([...train.classes, ...(test?.classes ?? [])])];
  return {
    train: partOf(train),
    test: test === null ? null : partOf(test),
    classes: labels.map((label) => ({ label, train: countIn(train, label), test: countIn(test, label) })),
  };
}

async function ofPrices(path: string, lenient: boolean): Promise<DatasetReport['prices']> {
  const { days, low, high } = await readPrices(path, { lenient });
  const day = (place: number): string => new Date(days.at(place)!).toISOString().slice(0, 10);
  return {
    days: days.length,
    first: day(0),
    last: day(-1),
    lowest: low.reduce((a, b) => Math.min(a, b)),
    highest: high.reduce((a, b) => Math.max(a, b)),
  };
}

function ofText({ texts, isTest, labels, classes }: LabelledTexts): DatasetReport['text'] {
  const test = isTest.reduce((sum, flag) => sum + flag, 0);
  return {
    train: texts.length - test,
    test,
    distinct: new Set(texts).size,
    meanCharacters: texts.reduce((sum, text) => sum + text.length, 0) / texts.length,
    classes: classes.map((label, place) => ({
      label,
      texts: labels.reduce((count, own) => (own === place ? count + 1 : count), 0),
    })),
  };
}

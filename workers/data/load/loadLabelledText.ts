import { createHash } from 'node:crypto';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { knownDataset } from '#src/catalog/datasets.ts';
import { isGenerated, parseGeneratedName } from '#src/catalog/generatedDatasets.ts';
import { generateReviews } from '../generate/generateReviews.ts';
import { locateDataset } from './locateDataset.ts';
import { type LabelledTexts, readLabelledText } from '../read/readLabelledText.ts';

/** A dataset of texts with a label each. */
export interface TextData extends LabelledTexts {
  name: string;
  /** sha256 of the texts, labels and parts. */
  fingerprint: string;
}

/** Folders are searched in their order; lenient skips lines that cannot be read. */
export interface TextLoadOptions {
  folders: readonly string[];
  lenient?: boolean;
}

/**
 * Loads a dataset of labelled texts: a known one, a `.tsv` with `label` and `text`, or `generated/reviews-…`. Throws DATA_ERROR
 * where it is not found, holds something else, or as its reader does.
 */
export async function loadLabelledText(name: string, options: TextLoadOptions): Promise<TextData> {
  const found = await textsOf(name, options);
  const { texts, labels, classes, isTest } = found.data;
  const hash = createHash('sha256').update(`warren-texts-1\n${JSON.stringify([classes, texts])}\n`);
  hash.update(new Uint8Array(labels.buffer, labels.byteOffset, labels.byteLength)).update(isTest);
  return { ...found.data, name: found.name, fingerprint: hash.digest('hex') };
}

async function textsOf(
  name: string,
  { folders, lenient = false }: TextLoadOptions,
): Promise<{ name: string; data: LabelledTexts }> {
  if (isGenerated(name)) {
    const generated = parseGeneratedName(name);
    if (generated.what === 'reviews') return { name, data: generateReviews(generated) };
    throw holdsNone(name);
  }
  const { name: known, path, format } = locateDataset(name, folders);
  if (format !== 'text' && !/\.tsv(\.gz)?$/.test(path)) throw holdsNone(name);
  return {
    name: known,
    data: await readLabelledText(path, { lenient, wholeLines: knownDataset(name) !== undefined && !lenient }),
  };
}

function holdsNone(name: string): WarrenError {
  return new WarrenError(
    'DATA_ERROR',
    `dataset "${name}" holds no labelled texts: expected one such as imdb-reviews-6k, or a .tsv with label and text`,
    { path: 'dataset.name' },
  );
}

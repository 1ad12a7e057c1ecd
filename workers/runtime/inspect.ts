import { datasetSelectionSchema } from '../../src/catalog/datasetSelection.ts';
import { DATASETS } from '../../src/catalog/datasets.ts';
import { isGenerated } from '../../src/catalog/generatedDatasets.ts';
import { badInput, toErrorRecord } from '../../src/contracts/errors.ts';
import { type Environment, readEnvironment } from '../../src/platform/environment.ts';
import { loadSequenceDataset } from '../data/loadSequenceDataset.ts';
import { datasetsPresent, locateDataset } from '../data/locateDataset.ts';
import type { SequenceDataset } from '../data/sequenceDataset.ts';
import { chooseBackend, detectBackends } from '../tensor/detectBackends.ts';

// What the command line wants to know of the numerics, which it does not load itself: one question as arguments, one
// JSON answer on stdout: `{ "answer": … }` or `{ "error": … }`.

function backends(environment: Environment) {
  return { backends: detectBackends(), chosen: chooseBackend(environment.backend).name };
}

/** Every known dataset and every other readable file of the data folders, with the file that would be read. */
function datasets({ dataFolders }: Environment) {
  const names = new Set([...DATASETS.map((dataset) => dataset.name), ...datasetsPresent(dataFolders)]);
  return [...names].map((name) => ({ name, ...whereIs(name, dataFolders) }));
}

function whereIs(name: string, folders: readonly string[]): { path: string | null; format: string | null } {
  try {
    const { path, format } = locateDataset(name, folders);
    return { path, format };
  } catch {
    return { path: null, format: null };
  }
}

async function dataset(name: string, environment: Environment) {
  const started = performance.now();
  const notes: string[] = [];
  const loaded = await loadSequenceDataset(datasetSelectionSchema.parse({ name }), {
    folders: environment.dataFolders,
    cacheFolder: environment.cacheFolder,
    warn: (text) => notes.push(text),
  });
  return {
    name,
    path: isGenerated(name) ? null : locateDataset(name, environment.dataFolders).path,
    fingerprint: loaded.fingerprint,
    ...counts(loaded),
    loadSeconds: (performance.now() - started) / 1000,
    notes,
  };
}

/** Users, items, interactions and the lengths of the sequences. */
function counts({ offsets, items, userCount, itemCount }: SequenceDataset) {
  const lengths = Array.from({ length: userCount }, (_, user) => offsets[user + 1]! - offsets[user]!).sort(
    (a, b) => a - b,
  );
  return {
    users: userCount,
    items: itemCount,
    interactions: items.length,
    density: userCount === 0 ? 0 : items.length / (userCount * itemCount),
    shortest: lengths[0] ?? 0,
    median: lengths[Math.floor(lengths.length / 2)] ?? 0,
    longest: lengths.at(-1) ?? 0,
  };
}

async function answer(question: string | undefined, name: string | undefined): Promise<unknown> {
  const environment = readEnvironment();
  if (question === 'backends') return backends(environment);
  if (question === 'datasets') return datasets(environment);
  if (question === 'dataset' && name !== undefined) return dataset(name, environment);
  throw badInput(`expected backends, datasets or dataset NAME, not "${question ?? ''}"`);
}

try {
  process.stdout.write(JSON.stringify({ answer: await answer(process.argv[2], process.argv[3]) }));
} catch (error) {
  process.stdout.write(JSON.stringify({ error: toErrorRecord(error) }));
  process.exitCode = 1;
}

import { cpus } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort } from 'node:worker_threads';
import { datasetSelectionSchema, sharesOf } from '#src/catalog/datasetSelection.ts';
import { requiresGpu } from '#src/catalog/requiresGpu.ts';
import type { RunArithmetic } from '#src/base/contracts/arithmetic.ts';
import { toErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import type { ExecutorTask } from '#src/base/contracts/executorMessages.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { moduleReports } from '#src/base/platform/kindModules/loadedModules.ts';
import { datasetStatistics } from '#workers/data/report/datasetStatistics.ts';
import { fingerprintWarning } from '#workers/data/load/fingerprintWarning.ts';
import { loadItemTable } from '#workers/data/load/loadItemTable.ts';
import { loadLabelledText } from '#workers/data/load/loadLabelledText.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { loadSeriesData } from '#workers/data/series/seriesData.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import type { Experiment, ExperimentData } from '#workers/experiments/experiment.ts';
import { chooseBackend } from '#workers/tensor/detectBackends.ts';
import { productLibraryInUse, setArithmetic } from '#workers/wasm/calls/kernelModule.ts';
import { openProductLibrary } from '#workers/wasm/calls/productLibrary.ts';
import { readArtifact } from '../shared/artifactSource.ts';
import { codeVersion } from '../worker/codeVersion.ts';
import { fetchDataset } from './fetchDataset.ts';
import { computeFailure } from '../shared/computeFailure.ts';
import { cancellationOf, ControlBlock } from '../shared/controlBlock.ts';
import { readCheckpoint } from './readCheckpoint.ts';
import { requireKindVersion } from './requireKindVersion.ts';
import { chooseArithmetic } from './runArithmetic.ts';
import { RunBackend } from './runBackend.ts';
import type { FromThread, StartThread } from '../shared/threadMessages.ts';
import { ThreadReporter } from './threadReporter.ts';

/** Finds the experiment of a kind; throws for a kind that this build does not know. */
export type ExperimentLookup = (kind: string) => Promise<Experiment<Record<string, unknown>>>;

const OUTPUT_WAIT_MS = 500;
const CANCEL_LOOK_MS = 100;

interface Facts {
  versions: Record<string, string>;
  [name: string]: unknown;
}

async function readInputs(task: ExecutorTask, reporter: ThreadReporter) {
  const headers = 'folder' in task.artifactSink ? {} : task.artifactSink.headers;
  const onRetry = (error: Error): void => {
    reporter.log('warn', `the artifact store is away, trying again: ${error.message}`);
    reporter.post();
  };
  const inputs = new Map<string, Uint8Array>();
  for (const [name, source] of Object.entries(task.inputs)) {
    inputs.set(name, await readArtifact(source, { headers, onRetry }));
  }
  return { inputs, checkpoint: await readCheckpoint(task.checkpoint, { headers, onRetry, reporter }) };
}

interface Loading {
  task: ExecutorTask;
  facts: Facts;
  control: ControlBlock;
  reporter: ThreadReporter;
}

/** Fetches a dataset where it is missing and may be fetched. Returns the seconds that this took, 0 where nothing was. */
async function fetchMissing(name: string, { task, control, reporter }: Loading): Promise<number> {
  if (task.offline) return 0;
  const started = performance.now();
  const aborting = new AbortController();
  const looking = setInterval(() => {
    if (control.cancelled) aborting.abort();
  }, CANCEL_LOOK_MS);
  try {
    const isFetched = await fetchDataset(name, { folders: task.dataFolders, reporter, signal: aborting.signal });
    if (!isFetched) return 0;
    const seconds = (performance.now() - started) / 1000;
    reporter.timing('fetch', seconds);
    return seconds;
  } finally {
    clearInterval(looking);
  }
}

/** Records what content the run's dataset has, and warns where that is not what was to be expected. */
function tellFingerprint(
  dataset: { name: string; fingerprint: string },
  { task, facts, reporter }: { task: ExecutorTask; facts: Facts; reporter: ThreadReporter },
): void {
  facts.fingerprint = dataset.fingerprint;
  const warning = fingerprintWarning(dataset, { folders: task.dataFolders, earlier: task.earlierFingerprints });
  if (warning !== null) reporter.warning(warning);
}

/** What a run without a dataset is given. */
const NO_SEQUENCES: SequenceDataset = {
  name: '',
  fingerprint: '',
  offsets: Uint32Array.of(0),
  items: new Uint32Array(0),
  userCount: 0,
  itemCount: 0,
  userIds: [],
  itemIds: [],
};

/** The sequences of the run's dataset, loaded and fetched where that must be; their fingerprint and statistics are recorded. */
async function readSequences(loading: Loading): Promise<SequenceDataset> {
  const { task, facts, reporter } = loading;
  if (task.dataset === null) return NO_SEQUENCES;
  const started = performance.now();
  const selection = datasetSelectionSchema.parse(task.dataset);
  const fetching = await fetchMissing(selection.name, loading);
  const warn = (text: string): void => reporter.log('warn', text);
  const load = { folders: task.dataFolders, cacheFolder: task.cacheFolder, warn };
  const dataset = await loadSequenceDataset(selection, load);
  tellFingerprint(dataset, { task, facts, reporter });
  facts.datasetStatistics = await datasetStatistics(dataset, selection, load);
  facts.datasetPreparation = { ...selection, ...dataset.preparation };
  reporter.timing('load', (performance.now() - started) / 1000 - fetching);
  reporter.environment(facts);
  return dataset;
}

/** Series or texts by name, fetched where that must be; the fingerprint of the run's own dataset is recorded. */
async function readByName<Data extends { fingerprint: string }>(
  name: string,
  load: (name: string, options: { folders: readonly string[]; lenient: boolean }) => Promise<Data>,
  loading: Loading,
): Promise<Data> {
  const { task, facts, reporter } = loading;
  const started = performance.now();
  const fetching = await fetchMissing(name, loading);
  const selection = task.dataset === null ? null : datasetSelectionSchema.parse(task.dataset);
  const data = await load(name, { folders: task.dataFolders, lenient: selection?.lenient ?? false });
  if (selection?.name === name) {
    tellFingerprint({ name, fingerprint: data.fingerprint }, { task, facts, reporter });
    reporter.environment(facts);
  }
  reporter.timing('load', (performance.now() - started) / 1000 - fetching);
  return data;
}

/** The run's data, each loaded when the experiment asks for it; the sequences once. */
function runData(loading: Loading, inputs: ReadonlyMap<string, Uint8Array>): ExperimentData {
  const { task } = loading;
  const selection = task.dataset === null ? null : datasetSelectionSchema.parse(task.dataset);
  const name = selection?.name ?? null;
  let sequences: Promise<SequenceDataset> | null = null;
  return {
    name,
    split: {
      name: selection?.split ?? 'leave-one-out',
      shares: selection === null ? null : sharesOf(selection),
      seed: selection?.splitSeed ?? 0,
    },
    sequences: () => (sequences ??= readSequences(loading)),
    items: async () => {
      if (name !== null) await fetchMissing(name, loading);
      return loadItemTable(name, task.dataFolders);
    },
    series: (of) => readByName(of, loadSeriesData, loading),
    texts: (of) => readByName(of, loadLabelledText, loading),
    inputs,
  };
}

/** Asked of the system once: it looks at every processor for it. */
const processorModel = cpus()[0]?.model.trim() ?? process.arch;

/** What is known of the run's place before it begins. */
function machineFacts(task: ExecutorTask, arithmetic: RunArithmetic): Facts {
  const code = codeVersion();
  return {
    seed: task.seed,
    codeVersion: code.version,
    commit: code.commit,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: processorModel,
    threads: task.threads,
    arithmetic,
    ...moduleFacts(task.kind),
    versions: { warren: code.version, node: process.versions.node, v8: process.versions.v8 },
  };
}

/** Which code a kind of one's own is: name and digest of the bundle of its module. */
function moduleFacts(kind: string): { kindModule?: string } {
  const module = moduleReports().find(({ kinds }) => kinds.includes(kind))?.module;
  return module === undefined ? {} : { kindModule: basename(module, '.bundle.mjs') };
}

/** The facts with what is known of the backend that computes. */
function withBackend(facts: Facts, backend: RunBackend, when: { atEnd: boolean }): Facts {
  const found = backend.facts(when);
  if (found === null) return facts;
  return { ...facts, ...found, versions: { ...facts.versions, ...found.versions } };
}

/** Neither code of users nor a GPU or another library that keeps state of its own took part. */
function mayStay(task: ExecutorTask, backend: RunBackend): boolean {
  return task.mayStay === true && moduleReports().length === 0 && backend.leavesNothing;
}

/** Has the kernels compute as the run is to; what its environment says of the place with that. */
function takeArithmetic(task: ExecutorTask, reporter: ThreadReporter): Facts {
  const { computes, recorded, message } = chooseArithmetic(task);
  setArithmetic(computes);
  if (message?.level === 'warn') reporter.warning(message.text);
  else if (message !== null) reporter.log('info', message.text);
  const facts = machineFacts(task, recorded);
  const library = productLibraryInUse();
  if (library === null) return facts;
  return { ...facts, versions: { ...facts.versions, openblas: openProductLibrary(library).version } };
}

async function execute(task: ExecutorTask, lookup: ExperimentLookup, control: ControlBlock): Promise<FromThread> {
  const port = parentPort;
  invariant(port !== null, 'compute thread without a port');
  const reporter = new ThreadReporter({
    control,
    folder: task.workFolder,
    post: (reports) => port.postMessage({ type: 'reports', reports } satisfies FromThread),
    now: Date.now,
    mayBePruned: task.mayBePruned ?? false,
  });
  const cancellation = cancellationOf(control, () => reporter.postIfDue());
  let facts = machineFacts(task, task.checkpointArithmetic ?? task.arithmetic);
  const backend = new RunBackend({
    forced: task.backend,
    threads: task.threads,
    requireGpu: requiresGpu(task.kind, task.parameters),
    reporter,
    onOpen: () => reporter.environment(withBackend(facts, backend, { atEnd: false })),
  });
  try {
    // A forced backend that is not here is a mistake, also where no tensors are used.
    chooseBackend(task.backend);
    requireKindVersion(task);
    facts = takeArithmetic(task, reporter);
    reporter.environment(facts);
    const loadStart = performance.now();
    const experiment = await lookup(task.kind);
    const received = await readInputs(task, reporter);
    cancellation.throwIfCancelled();
    reporter.timing('load', (performance.now() - loadStart) / 1000);
    await experiment({
      parameters: task.parameters,
      seed: task.seed,
      data: runData({ task, facts, control, reporter }, received.inputs),
      compute: { threads: task.threads, openTensorBackend: () => backend.open() },
      reporter,
      cancellation,
      checkpoint: received.checkpoint,
    });
    return { type: 'finished', stays: mayStay(task, backend) };
  } catch (thrown) {
    if (control.cancelled && toErrorRecord(thrown).code === 'CANCELLED') return { type: 'cancelled' };
    const error = computeFailure(thrown);
    // an error of our own says already what is needed and what there is
    if (error.code === 'OUT_OF_MEMORY' && !(thrown instanceof WarrenError)) error.message += backend.memoryWords();
    return { type: 'failed', error };
  } finally {
    reporter.environment(withBackend(facts, backend, { atEnd: true }));
    reporter.post();
    await backend.close();
  }
}

/** Resolves when what the thread has written to its streams has reached the executor. */
async function outputWritten(): Promise<void> {
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  );
  await Promise.race([Promise.all(written), delay(OUTPUT_WAIT_MS)]);
}

/**
 * Waits in a compute thread for tasks, one after another, executes each and tells the executor how it ended.
 * @param ready When all kinds are there.
 */
export function serveComputeThread(lookup: ExperimentLookup, ready: Promise<unknown> = Promise.resolve()): void {
  invariant(!isMainThread && parentPort !== null, 'compute.js must run in a worker thread');
  const port = parentPort;
  port.on('message', ({ task, control }: StartThread) => {
    const ending = ready.then(() => execute(task, lookup, new ControlBlock(control)));
    void ending.then(async (end) => {
      await outputWritten();
      port.postMessage(end);
    });
  });
}

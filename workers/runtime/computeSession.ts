import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { datasetSelectionSchema } from '../../src/catalog/datasetSelection.ts';
import { toErrorRecord, WarrenError } from '../../src/contracts/errors.ts';
import type { ExecutorTask } from '../../src/contracts/executorMessages.ts';
import { invariant } from '../../src/lib/invariant.ts';
import { datasetStatistics } from '../data/datasetStatistics.ts';
import { loadSequenceDataset } from '../data/loadSequenceDataset.ts';
import type { SequenceDataset } from '../data/sequenceDataset.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { chooseBackend } from '../tensor/detectBackends.ts';
import { readArtifact } from './artifactSource.ts';
import { codeVersion } from './codeVersion.ts';
import { fetchDataset } from './fetchDataset.ts';
import { computeFailure } from './computeFailure.ts';
import { cancellationOf, ControlBlock } from './controlBlock.ts';
import type { ComputeThreadData, FromThread, StartThread } from './threadMessages.ts';
import { ThreadReporter } from './threadReporter.ts';

/** Finds the experiment of a kind; throws for a kind that this build does not know. */
export type ExperimentLookup = (kind: string) => Promise<Experiment<Record<string, unknown>>>;

const OUTPUT_WAIT_MS = 500;
const CANCEL_LOOK_MS = 100;

interface Facts {
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
  const { checkpoint } = task;
  if (checkpoint === null) return { inputs, checkpoint: null };
  invariant(checkpoint.step !== undefined, 'a checkpoint without a step');
  const bytes = await readArtifact(checkpoint, { headers, onRetry });
  reporter.log('info', `goes on from the checkpoint at step ${checkpoint.step}`);
  return { inputs, checkpoint: { step: checkpoint.step, bytes } };
}

/** Fetches the dataset of the task where it is missing and may be fetched. Returns the seconds that this took, 0 where nothing was. */
async function fetchMissing(task: ExecutorTask, control: ControlBlock, reporter: ThreadReporter): Promise<number> {
  if (task.dataset === null || task.offline) return 0;
  const { name } = datasetSelectionSchema.parse(task.dataset);
  const started = performance.now();
  const aborting = new AbortController();
  const looking = setInterval(() => {
    if (control.cancelled) aborting.abort();
  }, CANCEL_LOOK_MS);
  try {
    const isFetched = await fetchDataset(name, { folders: task.dataFolders, reporter, signal: aborting.signal });
    return isFetched ? (performance.now() - started) / 1000 : 0;
  } finally {
    clearInterval(looking);
  }
}

/** The dataset of the task, loaded, or one that throws when a kind without data asks for it. */
async function readDataset(task: ExecutorTask, facts: Facts, reporter: ThreadReporter): Promise<() => SequenceDataset> {
  if (task.dataset === null) {
    return () => {
      throw new WarrenError('RUN_FAILED', `internal: kind ${task.kind} declares no data but asks for a dataset`);
    };
  }
  const selection = datasetSelectionSchema.parse(task.dataset);
  const warn = (text: string): void => reporter.log('warn', text);
  const load = { folders: task.dataFolders, cacheFolder: task.cacheFolder, warn };
  const dataset = await loadSequenceDataset(selection, load);
  facts.fingerprint = dataset.fingerprint;
  facts.datasetStatistics = await datasetStatistics(dataset, selection, load);
  facts.datasetPreparation = { ...selection, ...dataset.preparation };
  return () => dataset;
}

async function execute(task: ExecutorTask, lookup: ExperimentLookup, control: ControlBlock): Promise<FromThread> {
  const port = parentPort;
  invariant(port !== null, 'compute thread without a port');
  const reporter = new ThreadReporter({
    control,
    folder: task.workFolder,
    post: (reports) => port.postMessage({ type: 'reports', reports } satisfies FromThread),
    now: Date.now,
  });
  const cancellation = cancellationOf(control, () => reporter.postIfDue());
  const facts: Facts = {};
  try {
    const backend = chooseBackend(task.backend);
    const code = codeVersion();
    Object.assign(facts, {
      seed: task.seed,
      codeVersion: code.version,
      commit: code.commit,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      cpu: cpus()[0]?.model.trim() ?? process.arch,
      backend: backend.name,
      device: backend.device,
      threads: task.threads,
      versions: {
        warren: code.version,
        node: process.versions.node,
        v8: process.versions.v8,
        [backend.name]: backend.version,
      },
    });
    reporter.environment(facts);
    const loadStart = performance.now();
    const experiment = await lookup(task.kind);
    const fetching = await fetchMissing(task, control, reporter);
    if (fetching > 0) reporter.timing('fetch', fetching);
    const dataset = await readDataset(task, facts, reporter);
    const received = await readInputs(task, reporter);
    cancellation.throwIfCancelled();
    reporter.timing('load', (performance.now() - loadStart) / 1000 - fetching);
    reporter.environment(facts);
    await experiment({
      parameters: task.parameters,
      get dataset() {
        return dataset();
      },
      seed: task.seed,
      threads: task.threads,
      reporter,
      cancellation,
      checkpoint: received.checkpoint,
      inputs: received.inputs,
    });
    return { type: 'finished' };
  } catch (thrown) {
    if (control.cancelled && toErrorRecord(thrown).code === 'CANCELLED') return { type: 'cancelled' };
    return { type: 'failed', error: computeFailure(thrown) };
  } finally {
    reporter.environment(facts);
    reporter.post();
  }
}

/** Resolves when what the thread has written to its streams has reached the executor. */
async function outputWritten(): Promise<void> {
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  );
  await Promise.race([Promise.all(written), delay(OUTPUT_WAIT_MS)]);
}

/** Waits in a compute thread for its one task, executes it and tells the executor how it ended. */
export function serveComputeThread(lookup: ExperimentLookup): void {
  invariant(!isMainThread && parentPort !== null, 'compute.js must run in a worker thread');
  const port = parentPort;
  const { control } = workerData as ComputeThreadData;
  port.once('message', (message: StartThread) => {
    void execute(message.task, lookup, new ControlBlock(control)).then(async (end) => {
      await outputWritten();
      port.postMessage(end);
    });
  });
}

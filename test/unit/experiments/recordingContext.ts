import type { Cancellation, ExperimentContext, Reporter } from '#workers/experiments/experiment.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import { WarrenError } from '#src/contracts/errors.ts';

/** What an experiment reported, in order. */
export interface Recorded {
  metrics: { name: string; step: number; value: number }[];
  logs: string[];
  progress: number[];
  artifacts: Map<string, Uint8Array>;
  checkpoints: { step: number; bytes: Uint8Array }[];
  notes: Map<string, unknown>;
  timings: Map<string, number>;
}

export function recordingReporter(): { recorded: Recorded; reporter: Reporter } {
  const recorded: Recorded = {
    metrics: [],
    logs: [],
    progress: [],
    artifacts: new Map(),
    checkpoints: [],
    notes: new Map(),
    timings: new Map(),
  };
  const reporter: Reporter = {
    metric: (name, step, value) => recorded.metrics.push({ name, step, value }),
    log: (_, text) => recorded.logs.push(text),
    progress: (fraction) => recorded.progress.push(fraction),
    artifact: (name, bytes) => recorded.artifacts.set(name, bytes.slice()),
    checkpoint: (step, bytes) => recorded.checkpoints.push({ step, bytes: bytes.slice() }),
    timing: (phase, seconds) => recorded.timings.set(phase, (recorded.timings.get(phase) ?? 0) + seconds),
    note: (name, value) => recorded.notes.set(name, value),
  };
  return { recorded, reporter };
}

/** Cancelled as soon as `isCancelled` says so. */
export function cancellationWhen(isCancelled: () => boolean): Cancellation {
  return {
    get cancelled() {
      return isCancelled();
    },
    throwIfCancelled() {
      if (isCancelled()) throw new WarrenError('CANCELLED', 'the run was cancelled');
    },
  };
}

/** A context whose reports are recorded; seed 1, one thread, never cancelled, unless `over` says otherwise. */
export function recordingContext<Parameters>(
  dataset: SequenceDataset,
  parameters: Parameters,
  over: Partial<ExperimentContext<Parameters>> = {},
): { recorded: Recorded; context: ExperimentContext<Parameters> } {
  const { recorded, reporter } = recordingReporter();
  const context: ExperimentContext<Parameters> = {
    parameters,
    dataset,
    datasetName: dataset.name,
    loadSeries: () => Promise.reject(new WarrenError('DATA_ERROR', 'this test has no series')),
    loadTexts: () => Promise.reject(new WarrenError('DATA_ERROR', 'this test has no texts')),
    loadItems: () => Promise.reject(new WarrenError('DATA_ERROR', 'this test knows nothing of items')),
    split: { name: 'leave-one-out', shares: null },
    seed: 1,
    threads: 1,
    reporter,
    cancellation: cancellationWhen(() => false),
    checkpoint: null,
    inputs: new Map(),
    openTensorBackend: () => Promise.reject(new Error('this test gives no tensor backend')),
    ...over,
  };
  return { recorded, context };
}

/** Last value of each metric, without those of time. */
export function lastValues(recorded: Recorded): Record<string, number> {
  const entries = recorded.metrics.filter(({ name }) => !name.startsWith('time/'));
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

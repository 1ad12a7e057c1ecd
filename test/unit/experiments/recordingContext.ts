import type { Cancellation, ExperimentContext, ExperimentData, Reporter } from '#workers/experiments/experiment.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import type { Compute } from '#workers/training/trainingContext.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';

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

/** What a test gives of a context, one thing beside the other. */
export type GivenContext<Parameters = unknown> = Partial<
  Omit<ExperimentContext<Parameters>, 'data' | 'compute'> &
    Compute &
    Omit<ExperimentData, 'name' | 'sequences'> & { dataset: SequenceDataset; datasetName: string | null }
>;

/** A context whose reports are recorded; seed 1, one thread, never cancelled, unless `given` says otherwise. */
export function recordingContext<Parameters>(
  dataset: SequenceDataset,
  parameters: Parameters,
  given: GivenContext<Parameters> = {},
): { recorded: Recorded; context: ExperimentContext<Parameters> } {
  const { recorded, reporter } = recordingReporter();
  const missing = (what: string) => () => Promise.reject(new WarrenError('DATA_ERROR', `this test has no ${what}`));
  const sequences = given.dataset ?? dataset;
  let backend: Promise<OpenBackend> | undefined;
  const noBackend = () => Promise.reject(new Error('this test gives no tensor backend'));
  const context: ExperimentContext<Parameters> = {
    parameters,
    seed: 1,
    reporter,
    cancellation: cancellationWhen(() => false),
    checkpoint: null,
    ...given,
    data: {
      name: given.datasetName === undefined ? sequences.name : given.datasetName,
      split: given.split ?? { name: 'leave-one-out', shares: null },
      sequences: async () => sequences,
      items: given.items ?? missing('items'),
      series: given.series ?? missing('series'),
      texts: given.texts ?? missing('texts'),
      inputs: given.inputs ?? new Map(),
    },
    compute: {
      threads: given.threads ?? 1,
      openTensorBackend: () => (backend ??= (given.openTensorBackend ?? noBackend)()),
    },
  };
  return { recorded, context };
}

/** Last value of each metric, without those of time. */
export function lastValues(recorded: Recorded): Record<string, number> {
  const entries = recorded.metrics.filter(({ name }) => !name.startsWith('time/'));
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

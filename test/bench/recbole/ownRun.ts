import type { Reporter } from '#src/base/contracts/experimentPorts.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import type { SequenceDataset } from '#workers/data/prepare/sequenceDataset.ts';
import type { ExperimentContext } from '#workers/experiments/experiment.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';

/** What is run here: a kind on a dataset, to its test. */
export interface OwnTask {
  kind: string;
  parameters: Record<string, unknown>;
  dataset: SequenceDataset;
  seed: number;
  threads: number;
}

/** Of the epochs but the first, which warms up, or of fitting at once. */
export interface RunTimes {
  seconds: number[];
  /** Of all threads. */
  processorSeconds: number[];
  /** At cut-offs of 10; null where a run was not trained to its end. */
  metrics: Record<'ndcg@10' | 'hr@10', number> | null;
}

/** A kind from its start to its test, leave-one-out, as a run does it, in this process. */
export async function ownRun({ kind, parameters, dataset, seed, threads }: OwnTask): Promise<RunTimes> {
  const configuration = resolveConfiguration({ kind, dataset: { name: dataset.name }, parameters });
  const seconds: number[] = [];
  const processorSeconds: number[] = [];
  const tested = new Map<string, number>();
  let used = process.cpuUsage();
  const count = (passed: number): void => {
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    seconds.push(passed);
    processorSeconds.push((user + system) / 1e6);
  };
  const nothing = (): void => undefined;
  const reporter: Reporter = {
    metric(name, _, value) {
      if (name === 'time/epoch') count(value);
      else if (name.startsWith('test/')) tested.set(name.slice('test/'.length), value);
    },
    timing(phase, passed) {
      if (phase === 'compute' && seconds.length === 0) count(passed);
    },
    ...{ log: nothing, progress: nothing, artifact: nothing, checkpoint: nothing, note: nothing },
  };
  let opened: OpenBackend | null = null;
  const none = (what: string) => () => Promise.reject(new WarrenError('DATA_ERROR', `the benchmark has no ${what}`));
  const context: ExperimentContext<unknown> = {
    parameters: configuration.parameters,
    seed,
    reporter,
    checkpoint: null,
    cancellation: { cancelled: false, throwIfCancelled: nothing },
    data: {
      name: dataset.name,
      split: { name: 'leave-one-out', shares: null },
      // What is fitted at once is timed from here on: programs and kernels are loaded, as RecBole's are when its own is timed.
      sequences: async () => {
        used = process.cpuUsage();
        return dataset;
      },
      items: async () => new Map(),
      series: none('series'),
      texts: none('texts'),
      inputs: new Map(),
    },
    compute: {
      threads,
      openTensorBackend: async () => (opened ??= await openBackend({ forced: null, threads })),
    },
  };
  try {
    await experimentOf(kind)(context);
  } finally {
    await (opened as OpenBackend | null)?.close();
  }
  const warm = seconds.length > 1 ? 1 : 0;
  return {
    seconds: seconds.slice(warm),
    processorSeconds: processorSeconds.slice(warm),
    metrics: { 'ndcg@10': tested.get('ndcg@10') ?? Number.NaN, 'hr@10': tested.get('hr@10') ?? Number.NaN },
  };
}

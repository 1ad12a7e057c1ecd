import { datasetSelectionSchema, sharesOf } from '#src/catalog/datasetSelection.ts';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import type { Cancellation, Reporter } from '#src/base/contracts/experimentPorts.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import type { ExperimentContext } from '#workers/experiments/experiment.ts';
import { openBackend } from '#workers/tensor/openBackend.ts';
import type { OpenBackend } from '#workers/tensor/openedBackend.ts';
import { realDataset } from '../oracles/realDataset.ts';

/** What is trained, and for how long. */
export interface EpochTask {
  kind: string;
  preset: string;
  /** Over the preset's; validation and checkpoints are left out anyway. */
  parameters: Record<string, unknown>;
  /** Only these many users of the dataset; null for all. */
  users: number | null;
  backend: string;
  threads: number;
  /** Counted, after one that warms up. */
  epochs: number;
  /** Counted instead of epochs, after some that warm up; null for whole epochs. */
  steps: number | null;
}

/** Of the counted epochs, in their order; of the counted steps as if they were one. */
export interface EpochTimes {
  /** By the clock, of training alone. */
  seconds: number[];
  /** Of all threads of the process; what the device of a GPU computes is not in it. */
  processorSeconds: number[];
  losses: number[];
  /** Of one of them. */
  steps: number;
  device: string;
  isGpu: boolean;
  version: string;
  peakTensorBytes: number;
  peakMemoryMb: number;
}

/** Ends the run from within. */
class Enough extends Error {}
const WARM_UP_STEPS = 5;
const MOST_EPOCHS = 10_000;

/** What a task trains on, as its configuration says. */
export async function epochData({ kind, preset, users, parameters, epochs, steps }: Omit<EpochTask, 'backend'>) {
  // steps are counted across epochs, however few a small dataset has in one
  const whole = {
    epochs: steps === null ? epochs + 1 : MOST_EPOCHS,
    evaluateEvery: 0,
    checkpointEvery: 0,
    ...(kind === 'mf-bpr' ? {} : { select: 'last' }),
  };
  const configuration = resolveConfiguration({ kind, preset, parameters: { ...whole, ...parameters } });
  const selection = datasetSelectionSchema.parse({ ...configuration.dataset, maximumUsers: users });
  const dataset = await realDataset(selection);
  if (dataset === null) throw new Error(`the benchmark needs ${selection.name} in a folder of WARREN_DATA`);
  const split = { name: selection.split, shares: sharesOf(selection), seed: selection.splitSeed };
  return { configuration, dataset, split };
}

/** Trains a kind as a run does, in this process, and ends it when enough epochs are counted. */
export async function probeEpochs(task: EpochTask): Promise<EpochTimes> {
  const { kind, backend: forced, threads, epochs, steps } = task;
  const { configuration, dataset, split } = await epochData(task);
  const times: EpochTimes = {
    ...{ seconds: [], processorSeconds: [], losses: [], steps: 0 },
    ...{ device: '', isGpu: false, version: '', peakTensorBytes: 0, peakMemoryMb: 0 },
  };
  let opened: OpenBackend | null = null;
  let [begun, stepped] = [performance.now(), 0];
  let used = process.cpuUsage();
  const begin = (): void => {
    [begun, stepped] = [performance.now(), 0];
    used = process.cpuUsage();
  };
  const count = (seconds: number): void => {
    const { user, system } = process.cpuUsage(used);
    times.seconds.push(seconds);
    times.processorSeconds.push((user + system) / 1e6);
    times.steps = stepped;
  };
  const metric: Reporter['metric'] = (name, step, value) => {
    if (name === 'train/loss' && step > 1) times.losses.push(value);
    if (name !== 'time/epoch' || steps !== null) return;
    if (step > 1) count(value);
    begin();
  };
  const nothing = (): void => undefined;
  const reporter: Reporter = {
    metric,
    ...{ log: nothing, progress: nothing, artifact: nothing, checkpoint: nothing, timing: nothing, note: nothing },
  };
  let isWarm = steps === null;
  const cancellation: Cancellation = {
    cancelled: false,
    // asked before every step
    throwIfCancelled() {
      if (steps === null && times.seconds.length >= epochs && times.losses.length >= epochs) throw new Enough();
      if (!isWarm && stepped === WARM_UP_STEPS) {
        isWarm = true;
        begin();
      } else if (steps !== null && isWarm && stepped === steps) {
        count((performance.now() - begun) / 1000);
        throw new Enough();
      }
      stepped++;
    },
  };
  const context: ExperimentContext<unknown> = {
    parameters: configuration.parameters,
    seed: 1,
    reporter,
    checkpoint: null,
    cancellation,
    data: {
      name: dataset.name,
      split,
      sequences: async () => dataset,
      items: async () => new Map(),
      series: () => Promise.reject(new WarrenError('DATA_ERROR', 'the benchmark has no series')),
      texts: () => Promise.reject(new WarrenError('DATA_ERROR', 'the benchmark has no texts')),
      inputs: new Map(),
    },
    compute: {
      threads,
      openTensorBackend: async () => (opened ??= await openBackend({ forced, threads })),
    },
  };
  try {
    await experimentOf(kind)(context);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  } finally {
    await closing(opened, times);
  }
  return times;
}

async function closing(opened: OpenBackend | null, times: EpochTimes): Promise<void> {
  times.peakMemoryMb = Math.round(process.resourceUsage().maxRSS / 1024);
  if (opened === null) return;
  const { device, isGpu, version, memory, close } = opened;
  Object.assign(times, { device, isGpu, version, peakTensorBytes: memory().peakBytes });
  await close();
}

import type { Cancellation, Reporter, RunCheckpoint } from '#src/base/contracts/experimentPorts.ts';
import type { ItemInfo } from '../data/read/readItemTable.ts';
import type { SequenceDataset } from '../data/prepare/sequenceDataset.ts';
import type { SplitChoice } from '../data/split/splitSequences.ts';
import type { OpenBackend } from '../tensor/openedBackend.ts';

/** The data of a run: loaded when they are asked for, once. */
export interface RecommendationData {
  /** Name of the configuration's dataset; null where it has none. */
  readonly name: string | null;
  /** How the dataset is split; leave-one-out where there is none. */
  readonly split: SplitChoice;
  /** The sequences of the dataset; none for a run without a dataset. Throws DATA_ERROR, saying where. */
  sequences(): Promise<SequenceDataset>;
  /** Titles and genres of the dataset's items, by id. Throws DATA_ERROR where no file beside it says any. */
  items(): Promise<ReadonlyMap<string, ItemInfo>>;
  /** Files that other runs left and this one was given, by the names that it was given them by. */
  readonly inputs: ReadonlyMap<string, Uint8Array>;
}

/** What a run computes on. */
export interface Compute {
  /** Compute threads, at least 1, that `workers/wasm` may use. */
  readonly threads: number;
  /**
   * Opens the tensor backend of this run, once, and makes tfjs compute on it: call it before the first tensor. The runtime
   * records which one it is and closes it when the experiment has ended, however that was. Throws UNAVAILABLE when none
   * opens or the run needs a GPU and there is none.
   */
  openTensorBackend(): Promise<OpenBackend>;
}

/** What training and evaluating a recommender needs of its run. */
export interface TrainingContext {
  seed: number;
  data: RecommendationData;
  compute: Compute;
  reporter: Reporter;
  cancellation: Cancellation;
  /** Where the run's last attempt stood; null for none. */
  checkpoint: RunCheckpoint | null;
}

import type { Cancellation, Reporter, RunCheckpoint } from '#src/contracts/experimentPorts.ts';
import type { ItemInfo } from '../data/read/readItemTable.ts';
import type { SequenceDataset } from '../data/prepare/sequenceDataset.ts';
import type { SplitChoice } from '../data/split/splitSequences.ts';
import type { OpenBackend } from '../tensor/openedBackend.ts';

/** What training and evaluating a recommender needs of its run. */
export interface TrainingContext {
  dataset: SequenceDataset;
  /** How the dataset is split; leave-one-out where there is none. */
  split: SplitChoice;
  /** Titles and genres of the dataset's items, by id. Throws DATA_ERROR where no file beside it says any. */
  loadItems(): Promise<ReadonlyMap<string, ItemInfo>>;
  seed: number;
  /** Compute threads, at least 1, that `workers/wasm` may use. */
  threads: number;
  reporter: Reporter;
  cancellation: Cancellation;
  checkpoint: RunCheckpoint | null;
  inputs: ReadonlyMap<string, Uint8Array>;
  /**
   * Opens the tensor backend of this run, once, and makes tfjs compute on it: call it before the first tensor. The runtime
   * records which one it is and closes it when the experiment has ended, however that was. Throws UNAVAILABLE when none
   * opens or the run needs a GPU and there is none.
   */
  openTensorBackend(): Promise<OpenBackend>;
}

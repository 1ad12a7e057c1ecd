import type { LogLevel } from '../../src/contracts/reports.ts';
import type { Shares, SplitName } from '../../src/catalog/datasetSelection.ts';
import type { ItemInfo } from '../data/readItemTable.ts';
import type { SequenceDataset } from '../data/sequenceDataset.ts';
import type { SeriesData } from '../data/seriesData.ts';
import type { TextData } from '../data/loadLabelledText.ts';
import type { OpenBackend } from '../tensor/openedBackend.ts';

/** The smallest ports that an experiment needs to tell what it finds. Calls never block; order is kept. */
export interface Reporter {
  /** One point of the series `name` (lower-case path) at `step` (0 to 2⁵³). */
  metric(name: string, step: number, value: number): void;
  log(level: LogLevel, text: string): void;
  /** `fraction` from 0 to 1. */
  progress(fraction: number, message: string): void;
  /** Leaves a file named by a relative path; the bytes are copied before the call returns. */
  artifact(name: string, bytes: Uint8Array, mediaType: string): void;
  /** Replaces the run's checkpoint; a new attempt gets it back and its metrics after `step` are removed. */
  checkpoint(step: number, bytes: Uint8Array): void;
  /** Seconds that a phase took, summed over calls with the same name (`load`, `compute`, `evaluate`). */
  timing(phase: string, seconds: number): void;
  /** Facts worth keeping beside the results, such as the share of boundary ties. */
  note(name: string, value: unknown): void;
}

/** Set from outside the thread; loops ask it at least every 100 ms. */
export interface Cancellation {
  readonly cancelled: boolean;
  /** Throws a `WarrenError` with code CANCELLED when set. */
  throwIfCancelled(): void;
}

/** A split as the configuration names it. */
export interface SplitChoice {
  name: SplitName;
  /** Null for leave-one-out. */
  shares: Shares | null;
  /** Draws the items of random-by-item; 0 where it is missing. */
  seed?: number;
}

export interface ExperimentContext<Parameters> {
  parameters: Parameters;
  /** The split sequences; throws for kinds that declare other data. */
  dataset: SequenceDataset;
  /** Name of the configuration's dataset; null where it has none. */
  datasetName: string | null;
  /**
   * Loads labelled series or prices by the name of their dataset, fetched where they are in no folder and may be. Throws
   * DATA_ERROR as `loadSeriesData` does.
   */
  loadSeries(name: string): Promise<SeriesData>;
  /** Loads labelled texts by the name of their dataset, as `loadSeries` does series. Throws DATA_ERROR as `loadLabelledText` does. */
  loadTexts(name: string): Promise<TextData>;
  /** Titles and genres of the dataset's items, by id. Throws DATA_ERROR where no file beside it says any. */
  loadItems(): Promise<ReadonlyMap<string, ItemInfo>>;
  /** How the dataset is split; leave-one-out where there is none. */
  split: SplitChoice;
  seed: number;
  /** Compute threads, at least 1, that `workers/wasm` may use. */
  threads: number;
  reporter: Reporter;
  cancellation: Cancellation;
  checkpoint: { step: number; bytes: Uint8Array } | null;
  inputs: ReadonlyMap<string, Uint8Array>;
  /**
   * Opens the tensor backend of this run, once, and makes tfjs compute on it: call it before the first tensor. The runtime
   * records which one it is and closes it when the experiment has ended, however that was. Throws UNAVAILABLE when none
   * opens or the run needs a GPU and there is none.
   */
  openTensorBackend(): Promise<OpenBackend>;
}

/** An experiment of one kind. Resolves when all is reported; throws `WarrenError` for the user's mistakes. */
export type Experiment<Parameters> = (context: ExperimentContext<Parameters>) => Promise<void>;

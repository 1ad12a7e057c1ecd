import type { SeriesData } from '../data/series/seriesData.ts';
import type { TextData } from '../data/load/loadLabelledText.ts';
import type { TrainingContext } from '../training/trainingContext.ts';

export type { Cancellation, Reporter } from '#src/contracts/experimentPorts.ts';

/** All that a run gives its experiment. */
export interface ExperimentContext<Parameters> extends TrainingContext {
  parameters: Parameters;
  /** Name of the configuration's dataset; null where it has none. */
  datasetName: string | null;
  /**
   * Loads labelled series or prices by the name of their dataset, fetched where they are in no folder and may be. Throws
   * DATA_ERROR as `loadSeriesData` does.
   */
  loadSeries(name: string): Promise<SeriesData>;
  /** Loads labelled texts by the name of their dataset, as `loadSeries` does series. Throws DATA_ERROR as `loadLabelledText` does. */
  loadTexts(name: string): Promise<TextData>;
}

/** An experiment of one kind. Resolves when all is reported; throws `WarrenError` for the user's mistakes. */
export type Experiment<Parameters> = (context: ExperimentContext<Parameters>) => Promise<void>;

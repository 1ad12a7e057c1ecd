import type { TextData } from '../data/load/loadLabelledText.ts';
import type { SeriesData } from '../data/series/seriesData.ts';
import type { RecommendationData, TrainingContext } from '../training/trainingContext.ts';

export type { Cancellation, Reporter } from '#src/base/contracts/experimentPorts.ts';

/** The data of a run, of whatever form its kind reads. */
export interface ExperimentData extends RecommendationData {
  /**
   * Labelled series or prices by the name of their dataset, fetched where they are in no folder and may be. Throws DATA_ERROR as
   * `loadSeriesData` does.
   */
  series(name: string): Promise<SeriesData>;
  /** Labelled texts by the name of their dataset, as `series` loads series. Throws DATA_ERROR as `loadLabelledText` does. */
  texts(name: string): Promise<TextData>;
}

/** All that a run gives its experiment. */
export interface ExperimentContext<Parameters> extends TrainingContext {
  parameters: Parameters;
  data: ExperimentData;
}

/** An experiment of one kind. Resolves when all is reported; throws `WarrenError` for the user's mistakes. */
export type Experiment<Parameters> = (context: ExperimentContext<Parameters>) => Promise<void>;

import type { MetricRecord } from './metricRecord.ts';
import {
  type FeaturizingParameters,
  type ItemRepresentation,
  representationCount,
  type StudyRow,
  tableRepresentations,
} from './featurizedRows.ts';

/** Which row is scored, and from which pretraining: 0 for avg(h). */
export interface RowPlace {
  row: StudyRow;
  number: number;
  /** Of all that are scored, how many are. */
  done: number;
  all: number;
}

export interface RowScoring {
  /** (pretrainings) h as trained. */
  pretrainings: readonly ArrayLike<number>[];
  parameters: FeaturizingParameters & { normaliseBaseline: boolean };
  /** Names of the metrics, after `ROW/`. */
  metrics: readonly string[];
  record: MetricRecord;
  /** Values of the metrics, in their order. */
  score: (representation: ItemRepresentation, place: RowPlace) => readonly number[] | Promise<readonly number[]>;
  /** Called after each score that was computed. */
  onScore: (place: RowPlace) => void;
}

/** Scores every row of the study from every pretraining into the record, as `ROW/METRIC` at its number; what it has stays. */
export async function scoreRows({
  pretrainings,
  parameters,
  metrics,
  record,
  score,
  onScore,
}: RowScoring): Promise<void> {
  const all = representationCount(parameters, pretrainings.length);
  let done = 0;
  for (const [row, representations] of tableRepresentations(pretrainings, parameters)) {
    let number = 0;
    for (const representation of representations()) {
      const place = { row, number, done, all };
      if (!metrics.every((metric) => record.series(`${row}/${metric}`).has(number))) {
        const values = await score(representation, place);
        for (const [index, metric] of metrics.entries()) record.metric(`${row}/${metric}`, number, values[index]!);
        onScore({ ...place, done: done + 1 });
      }
      number++;
      done++;
    }
  }
}

import { FEATURIZING_ROWS, type FeaturizingRow } from '../../../src/catalog/published/featurizingTables.ts';
import type { MetricRecord } from '../studies/metricRecord.ts';
import { type FeaturizingParameters, type ItemRepresentation, tableRepresentations } from './featurizedRows.ts';

/** Which of Table 1's rows is scored, and from which pretraining: 0 for avg(h). */
export interface RowPlace {
  row: FeaturizingRow;
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

/** Scores every row of Table 1 from every pretraining into the record, as `ROW/METRIC` at its number; what it has stays. */
export async function scoreRows({
  pretrainings,
  parameters,
  metrics,
  record,
  score,
  onScore,
}: RowScoring): Promise<void> {
  const all = (FEATURIZING_ROWS.length - 1) * pretrainings.length + 1;
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

import {
  FEATURIZING_TABLE_1,
  type FeaturizingRow,
  type PrintedScore,
} from '#src/catalog/published/featurizingTables.ts';
import { type ReplicateSummary, summarizeReplicates } from '#src/statistics/replicates.ts';
import { csvText } from '#workers/figures/figureTable.ts';
import type { Reporter } from '../experiment.ts';
import type { MetricRecord } from './metricRecord.ts';
import { STUDY_ROWS, type StudyRow } from './featurizedRows.ts';

/** One column of Table 1. */
export interface RowMeasure {
  /** Its metric, after `ROW/`. */
  metric: string;
  /** Under which the paper's number stands. */
  printed: keyof (typeof FEATURIZING_TABLE_1)[FeaturizingRow];
  /** Name before `/ROW` of the deviation from h over that from the row; null where it is not reported. */
  stability: string | null;
}

export interface RowTable {
  record: MetricRecord;
  measures: readonly RowMeasure[];
  datasetName: string | null;
  /** What the note `table1` says beside the rows. */
  facts: Readonly<Record<string, unknown>>;
}

export const ROW_TABLE_HEADER = [
  'representation',
  'measure',
  'mean',
  'standard deviation',
  'runs',
  'paper mean',
  'paper standard deviation',
];

/** Reports `ROW/mean-METRIC` and the ratios of deviations, and leaves Table 1 beside the printed one, in percent. */
export function reportRowTable(reporter: Reporter, { record, measures, datasetName, facts }: RowTable): void {
  const rows: (string | number)[][] = [];
  for (const row of STUDY_ROWS) {
    for (const { metric, printed, stability } of measures) {
      if (record.series(`${row}/${metric}`).size === 0) continue;
      const summary = summaryOf(record, row, metric);
      reporter.metric(`${row}/mean-${metric}`, 0, summary.mean);
      rows.push([
        row,
        metric,
        ...tableCells(
          summary,
          datasetName === 'ml-1m' && row !== 'phi-epsilon' ? FEATURIZING_TABLE_1[row][printed] : null,
        ),
      ]);
      const [h, own] = [summaryOf(record, 'h', metric).standardDeviation, summary.standardDeviation];
      if (stability === null || !row.startsWith('phi') || h === null || own === null || own === 0) continue;
      reporter.metric(`${stability}/${row}`, 0, h / own);
    }
  }
  reporter.artifact('table-1.csv', Buffer.from(csvText([ROW_TABLE_HEADER, ...rows])), 'text/csv');
  reporter.note('table1', { rows: [ROW_TABLE_HEADER, ...rows], ...facts });
  for (const [row, measure, mean, deviation, , printed, printedDeviation] of rows) {
    const theirs = printed === '-' ? '' : `; the paper, at d = 32: ${printed} (${printedDeviation}) %`;
    reporter.log('info', `${row} ${measure}: ${mean} (${deviation}) %${theirs}`);
  }
}

function summaryOf(record: MetricRecord, row: StudyRow, metric: string): ReplicateSummary {
  return summarizeReplicates([...record.series(`${row}/${metric}`).values()]);
}

/** Cells after the first two, in percent. */
export function tableCells(
  { mean, standardDeviation, n }: ReplicateSummary,
  printed: PrintedScore | null,
): (string | number)[] {
  const percent = (share: number | null): string => (share === null ? '-' : (100 * share).toFixed(2));
  return [percent(mean), percent(standardDeviation), n, printed?.mean ?? '-', printed?.standardDeviation ?? '-'];
}

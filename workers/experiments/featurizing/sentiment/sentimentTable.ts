import { featurizingTableA1 } from '#src/catalog/published/featurizingTables.ts';
import { summarizeReplicates } from '#src/statistics/replicates.ts';
import { csvText } from '#workers/figures/figureTable.ts';
import type { MetricRecord } from '../metricRecord.ts';
import { STUDY_ROWS } from '../featurizedRows.ts';
import { ROW_TABLE_HEADER, tableCells } from '../rowTable.ts';
import type { SentimentContext } from './sentimentTask.ts';

const ROWS = [...STUDY_ROWS, 'joint'] as const;
const KNOWN = 'imdb-reviews-6k';

/** Reports `ROW/mean-accuracy` and the ratios of deviations, and leaves Table A.1 beside the printed one, in percent. */
export function reportSentimentTable(
  { reporter, parameters, data: { name: datasetName } }: SentimentContext,
  record: MetricRecord,
): void {
  const { dimension, word2vec, classifier } = parameters;
  const summaryOf = (row: string) => summarizeReplicates([...record.series(`${row}/accuracy`).values()]);
  const ofH = summaryOf('h').standardDeviation;
  const rows: (string | number)[][] = [];
  for (const row of ROWS) {
    if (record.series(`${row}/accuracy`).size === 0) continue;
    const summary = summaryOf(row);
    reporter.metric(`${row}/mean-accuracy`, 0, summary.mean);
    const printed =
      datasetName === KNOWN && row !== 'phi-epsilon' ? featurizingTableA1(row, { dimension, ...word2vec }) : null;
    rows.push([row, 'accuracy', ...tableCells(summary, printed)]);
    const own = summary.standardDeviation;
    if (row === 'h' || ofH === null || own === null || own === 0) continue;
    reporter.metric(`stability/${row}`, 0, ofH / own);
  }
  reporter.artifact('table-a1.csv', Buffer.from(csvText([ROW_TABLE_HEADER, ...rows])), 'text/csv');
  reporter.note('tableA1', {
    rows: [ROW_TABLE_HEADER, ...rows],
    split: '80 % train, 10 % validate, 10 % test, drawn from all reviews by splitSeed, without regard to films',
    representation: 'frozen: the classifier trains, h and φ do not',
    downstreamSeed: classifier.sameSeed ? 'the same for all pretrainings' : 'one for each pretraining',
    paper:
      'All 50,000 reviews, 64 units, whole reviews, five values of λ. It says neither whether its Word2vec is skip-gram or CBOW, nor how many words it knows, nor whether the classifier has the same seed for all pretrainings. The loss below 1e-6 that it names cannot be that of negative sampling.',
  });
  for (const [row, , mean, deviation, , printed, printedDeviation] of rows) {
    const theirs = printed === '-' ? '' : `; the paper: ${printed} (${printedDeviation}) %`;
    reporter.log('info', `${row} accuracy: ${mean} (${deviation}) %${theirs}`);
  }
}

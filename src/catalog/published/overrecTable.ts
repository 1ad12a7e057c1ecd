/** Rows of OverRec's Table II, in its order of columns. */
export const OVERREC_TABLE_ROWS = [
  'mf-bpr',
  'item-knn',
  'gru4rec',
  'sasrec',
  'bert4rec',
  'sknn',
  'stan',
  'nngp',
  'overrec',
] as const;
export type OverrecTableRow = (typeof OVERREC_TABLE_ROWS)[number];

const METRICS = ['mrr@5', 'mrr@10', 'ndcg@5', 'ndcg@10'] as const;
type Metric = (typeof METRICS)[number];

/** As printed: a line a metric, a column a method. */
const TABLE_2 = {
  'amazon-beauty': [
    [0.0024, 0.0018, 0.0063, 0.0194, 0.0153, 0.0035, 0.0083, 0.0203, 0.0217],
    [0.0037, 0.0032, 0.0089, 0.0213, 0.0172, 0.0071, 0.0107, 0.022, 0.0238],
    [0.004, 0.0037, 0.0086, 0.0236, 0.0187, 0.0057, 0.0126, 0.0254, 0.0263],
    [0.0053, 0.0051, 0.0142, 0.0281, 0.0268, 0.0145, 0.0185, 0.0304, 0.0312],
  ],
  'amazon-clothing': [
    [0.0027, 0.0023, 0.0045, 0.0068, 0.0052, 0.0015, 0.0024, 0.007, 0.0072],
    [0.0041, 0.0034, 0.0054, 0.008, 0.0068, 0.0037, 0.0032, 0.0078, 0.0081],
    [0.0052, 0.0048, 0.0061, 0.0091, 0.0075, 0.0026, 0.0037, 0.0086, 0.0089],
    [0.0069, 0.0062, 0.0083, 0.0124, 0.0102, 0.008, 0.0057, 0.0106, 0.0111],
  ],
  'amazon-toys': [
    [0.0025, 0.0021, 0.0067, 0.0248, 0.0232, 0.0047, 0.0092, 0.0265, 0.0272],
    [0.0036, 0.0033, 0.0079, 0.0283, 0.0276, 0.0089, 0.012, 0.0286, 0.0292],
    [0.0053, 0.0046, 0.0059, 0.0306, 0.0293, 0.0079, 0.0142, 0.0315, 0.0323],
    [0.0067, 0.0058, 0.0084, 0.0374, 0.0358, 0.0181, 0.0212, 0.0366, 0.0376],
  ],
  'ml-1m': [
    [0.0078, 0.0053, 0.0269, 0.0514, 0.0326, 0.0024, 0.0162, 0.0573, 0.0585],
    [0.0162, 0.0097, 0.0313, 0.0594, 0.0382, 0.0046, 0.0249, 0.0643, 0.065],
    [0.0052, 0.0046, 0.0385, 0.0638, 0.0432, 0.0039, 0.0258, 0.0699, 0.0711],
    [0.0079, 0.0069, 0.0671, 0.091, 0.0619, 0.0094, 0.0466, 0.0863, 0.0866],
  ],
} as const;
export type OverrecTableDataset = keyof typeof TABLE_2;

/** What Table II prints for a method on a dataset: shares, all items ranked. */
export function overrecTable2(dataset: OverrecTableDataset, row: OverrecTableRow): Readonly<Record<Metric, number>> {
  const column = OVERREC_TABLE_ROWS.indexOf(row);
  const at = (metric: Metric): number => TABLE_2[dataset][METRICS.indexOf(metric)]?.[column] ?? Number.NaN;
  return { 'mrr@5': at('mrr@5'), 'mrr@10': at('mrr@10'), 'ndcg@5': at('ndcg@5'), 'ndcg@10': at('ndcg@10') };
}

/** Metrics of SEvo's tables, in the order of their lines. */
export const SEVO_METRICS = ['hr@1', 'hr@5', 'hr@10', 'ndcg@5', 'ndcg@10'] as const;
export type SevoMetric = (typeof SEVO_METRICS)[number];

/**
 * Methods of SEvo's Table 3 in the order of its columns. `-sevo` is trained by SEvo-enhanced AdamW over the graph of transitions
 * ("I-I"), `-sevo-users` over that of users and items ("U-I").
 */
export const SEVO_TABLE_3_METHODS = [
  'lightgcn',
  'sr-gnn',
  'lessr',
  'maerec',
  'mf-bpr',
  'mf-bpr-sevo-users',
  'mf-bpr-sevo',
  'gru4rec',
  'gru4rec-sevo',
  'sasrec',
  'sasrec-sevo',
  'bert4rec',
  'bert4rec-sevo',
  'stosa',
  'stosa-sevo',
] as const;
export type SevoTable3Method = (typeof SEVO_TABLE_3_METHODS)[number];

/** As printed, but for its lines being columns here: a method's values in the order of the metrics. */
const TABLE_3 = {
  beauty: {
    lightgcn: [0.0074, 0.0289, 0.0472, 0.0181, 0.024],
    'sr-gnn': [0.0059, 0.0247, 0.0406, 0.0152, 0.0203],
    lessr: [0.0088, 0.0322, 0.0506, 0.0205, 0.0264],
    maerec: [0.0113, 0.0424, 0.0662, 0.0269, 0.0346],
    'mf-bpr': [0.0071, 0.0272, 0.0454, 0.017, 0.0228],
    'mf-bpr-sevo-users': [0.0071, 0.0281, 0.0461, 0.0175, 0.0233],
    'mf-bpr-sevo': [0.0076, 0.0293, 0.048, 0.0184, 0.0244],
    gru4rec: [0.0061, 0.0233, 0.0395, 0.0146, 0.0198],
    'gru4rec-sevo': [0.0094, 0.0326, 0.0524, 0.0209, 0.0273],
    sasrec: [0.012, 0.0404, 0.0634, 0.0262, 0.0336],
    'sasrec-sevo': [0.0154, 0.0499, 0.0759, 0.0328, 0.0411],
    bert4rec: [0.0157, 0.0479, 0.0716, 0.0319, 0.0395],
    'bert4rec-sevo': [0.0172, 0.0522, 0.0772, 0.035, 0.043],
    stosa: [0.0166, 0.0479, 0.068, 0.0327, 0.0391],
    'stosa-sevo': [0.0216, 0.0544, 0.0774, 0.0383, 0.0457],
  },
  toys: {
    lightgcn: [0.0087, 0.0279, 0.0456, 0.0183, 0.024],
    'sr-gnn': [0.01, 0.0294, 0.0439, 0.0198, 0.0245],
    lessr: [0.0126, 0.0352, 0.0513, 0.024, 0.0292],
    maerec: [0.0171, 0.0532, 0.0796, 0.0355, 0.044],
    'mf-bpr': [0.0079, 0.0267, 0.0427, 0.0174, 0.0225],
    'mf-bpr-sevo-users': [0.0084, 0.0288, 0.0447, 0.0187, 0.0238],
    'mf-bpr-sevo': [0.0099, 0.0306, 0.0477, 0.0203, 0.0258],
    gru4rec: [0.0059, 0.0209, 0.0345, 0.0134, 0.0177],
    'gru4rec-sevo': [0.008, 0.0276, 0.0446, 0.0179, 0.0234],
    sasrec: [0.0172, 0.0506, 0.0727, 0.0342, 0.0413],
    'sasrec-sevo': [0.0192, 0.0584, 0.0844, 0.0392, 0.0475],
    bert4rec: [0.016, 0.043, 0.0645, 0.0297, 0.0366],
    'bert4rec-sevo': [0.0175, 0.0492, 0.0723, 0.0336, 0.041],
    stosa: [0.0232, 0.0571, 0.0776, 0.0406, 0.0472],
    'stosa-sevo': [0.0267, 0.0625, 0.0872, 0.0453, 0.0532],
  },
  tools: {
    lightgcn: [0.0067, 0.0212, 0.0326, 0.014, 0.0176],
    'sr-gnn': [0.0046, 0.0162, 0.026, 0.0103, 0.0135],
    lessr: [0.0045, 0.0157, 0.0263, 0.0101, 0.0135],
    maerec: [0.0083, 0.0271, 0.0423, 0.0177, 0.0226],
    'mf-bpr': [0.0058, 0.0187, 0.0293, 0.0123, 0.0157],
    'mf-bpr-sevo-users': [0.0068, 0.0216, 0.0342, 0.0142, 0.0182],
    'mf-bpr-sevo': [0.0071, 0.0225, 0.0348, 0.0147, 0.0187],
    gru4rec: [0.0053, 0.0174, 0.0272, 0.0114, 0.0145],
    'gru4rec-sevo': [0.0058, 0.0208, 0.0336, 0.0133, 0.0174],
    sasrec: [0.0099, 0.0317, 0.0466, 0.021, 0.0258],
    'sasrec-sevo': [0.0108, 0.0337, 0.0497, 0.0223, 0.0274],
    bert4rec: [0.0074, 0.0244, 0.0405, 0.0159, 0.0211],
    'bert4rec-sevo': [0.0087, 0.0279, 0.0441, 0.0183, 0.0235],
    stosa: [0.0095, 0.0276, 0.0417, 0.0186, 0.0231],
    'stosa-sevo': [0.0133, 0.035, 0.0502, 0.0244, 0.0293],
  },
  'ml-1m': {
    lightgcn: [0.0124, 0.0495, 0.0866, 0.0307, 0.0427],
    'sr-gnn': [0.0383, 0.1297, 0.2009, 0.0842, 0.1071],
    lessr: [0.0513, 0.1665, 0.2539, 0.1092, 0.1373],
    maerec: [0.0439, 0.1563, 0.2462, 0.1003, 0.1292],
    'mf-bpr': [0.0117, 0.047, 0.0836, 0.0291, 0.0408],
    'mf-bpr-sevo-users': [0.0125, 0.0501, 0.0868, 0.0313, 0.043],
    'mf-bpr-sevo': [0.0133, 0.0509, 0.0876, 0.0319, 0.0436],
    gru4rec: [0.0487, 0.1625, 0.2522, 0.1061, 0.135],
    'gru4rec-sevo': [0.0487, 0.1663, 0.2568, 0.1075, 0.1366],
    sasrec: [0.049, 0.1599, 0.2492, 0.1046, 0.1333],
    'sasrec-sevo': [0.0517, 0.167, 0.2567, 0.1096, 0.1385],
    bert4rec: [0.0681, 0.2069, 0.3018, 0.1387, 0.1693],
    'bert4rec-sevo': [0.0733, 0.2127, 0.3075, 0.1437, 0.1743],
    stosa: [0.0457, 0.1409, 0.2185, 0.0932, 0.1181],
    'stosa-sevo': [0.051, 0.1569, 0.2356, 0.1041, 0.1295],
  },
} as const satisfies Record<string, Record<SevoTable3Method, readonly number[]>>;
export type SevoTable3Dataset = keyof typeof TABLE_3;

/** What Table 3 prints for a method on a dataset: shares, seen items left out, best validation tested. */
export function sevoTable3(dataset: SevoTable3Dataset, method: SevoTable3Method): Readonly<Record<SevoMetric, number>> {
  const [hr1, hr5, hr10, ndcg5, ndcg10] = TABLE_3[dataset][method];
  return { 'hr@1': hr1, 'hr@5': hr5, 'hr@10': hr10, 'ndcg@5': ndcg5, 'ndcg@10': ndcg10 };
}

/**
 * The last two columns of Table 3: by how many percent the best SEvo-enhanced method is above the best baseline, and p of a
 * paired t-test between the two over five runs; a line a metric.
 */
export const SEVO_TABLE_3_TESTS: Readonly<
  Record<SevoTable3Dataset, readonly { improvement: number; pValue: number }[]>
> = {
  beauty: [
    { improvement: 30.2, pValue: 6.9e-5 },
    { improvement: 13.5, pValue: 0.000769 },
    { improvement: 8.2, pValue: 0.00266 },
    { improvement: 17.2, pValue: 9.7e-5 },
    { improvement: 15.5, pValue: 8.02e-5 },
  ],
  toys: [
    { improvement: 15.3, pValue: 0.00146 },
    { improvement: 9.6, pValue: 0.0057 },
    { improvement: 9.5, pValue: 0.000307 },
    { improvement: 11.6, pValue: 0.00248 },
    { improvement: 12.7, pValue: 3.12e-5 },
  ],
  tools: [
    { improvement: 33.8, pValue: 0.0123 },
    { improvement: 10.5, pValue: 0.00894 },
    { improvement: 7.7, pValue: 0.00825 },
    { improvement: 15.9, pValue: 0.00557 },
    { improvement: 13.4, pValue: 0.00379 },
  ],
  'ml-1m': [
    { improvement: 7.6, pValue: 0.0381 },
    { improvement: 2.8, pValue: 0.00417 },
    { improvement: 1.9, pValue: 0.0932 },
    { improvement: 3.6, pValue: 0.000419 },
    { improvement: 2.9, pValue: 0.013 },
  ],
};

/** Table 3, last line: relative improvement of each backbone by SEvo in percent, averaged over datasets and metrics. */
export const SEVO_TABLE_3_AVERAGES = {
  'mf-bpr-sevo-users': 7.6,
  'mf-bpr-sevo': 13.1,
  'gru4rec-sevo': 23.4,
  'sasrec-sevo': 12.3,
  'bert4rec-sevo': 9.6,
  'stosa-sevo': 17.5,
} as const;

/** A line of Tables 4 and 5: HR@1, HR@10, NDCG@10. Null where the paper's text at hand has lost the figure. */
export type SevoShortLine = readonly [hr1: number | null, hr10: number | null, ndcg10: number | null];

/**
 * Table 4: layers L of the approximation. The text at hand runs lines into one another: of L = 1 only one figure is left, and
 * one of L = 5 is gone; those of L = 3 are the same arms as in Table 3. The lines of L = 4 and 5 are told apart by their order.
 */
export const SEVO_TABLE_4: Readonly<Record<'beauty' | 'ml-1m', readonly SevoShortLine[]>> = {
  beauty: [
    [0.0124, 0.0664, 0.0353],
    [null, null, null],
    [0.0152, 0.074, 0.0403],
    [0.0154, 0.0759, 0.0411],
    [0.0153, 0.0755, 0.0408],
    [0.015, 0.075, 0.0403],
  ],
  'ml-1m': [
    [0.0465, 0.2487, 0.1321],
    [null, 0.2562, null],
    [0.0511, 0.2589, 0.1389],
    [0.0517, 0.2567, 0.1385],
    [0.051, 0.2576, 0.1383],
    [null, 0.2581, 0.1382],
  ],
};

/** Table 5, MovieLens 1M: smoothing over transitions against genres. */
export const SEVO_TABLE_5: Readonly<
  Record<'baseline' | 'transitions-0-5' | 'transitions-0-99' | 'genres-0-5' | 'genres-0-99', SevoShortLine>
> = {
  baseline: [0.0457, 0.2482, 0.1315],
  'transitions-0-5': [0.0494, 0.2538, 0.1362],
  'transitions-0-99': [0.0517, 0.2567, 0.1385],
  'genres-0-5': [0.0492, 0.2527, 0.1352],
  'genres-0-99': [0.0508, 0.2549, 0.1371],
};

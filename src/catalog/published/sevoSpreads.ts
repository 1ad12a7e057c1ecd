import type { SevoMetric } from './sevoTables.ts';
import { SEVO_METRICS } from './sevoTables.ts';

/**
 * Standard deviations of the five runs of each cell with SEvo in the authors' public logs, whose means are Table 3, in the order of the
 * metrics. There are none of the cells without.
 */
const SPREADS: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  beauty: {
    'bert4rec-sevo': [0.000624, 0.000548, 0.000797, 0.000445, 0.000531],
    'gru4rec-sevo': [0.00141, 0.000919, 0.00198, 0.00104, 0.00121],
    'mf-bpr-sevo': [0.000464, 0.00111, 0.000572, 0.000828, 0.000602],
    'mf-bpr-sevo-users': [0.000335, 0.000512, 0.00074, 0.000207, 0.00013],
    'sasrec-sevo': [0.000934, 0.00193, 0.00182, 0.00134, 0.00135],
    'stosa-sevo': [0.000568, 0.000763, 0.00153, 0.000568, 0.0007],
  },
  'ml-1m': {
    'bert4rec-sevo': [0.003, 0.00152, 0.00271, 0.00183, 0.00208],
    'gru4rec-sevo': [0.00144, 0.00363, 0.0055, 0.00163, 0.00112],
    'mf-bpr-sevo': [0.000953, 0.00153, 0.00182, 0.000893, 0.000524],
    'mf-bpr-sevo-users': [0.000802, 0.00117, 0.00217, 0.000886, 0.0013],
    'sasrec-sevo': [0.00203, 0.00107, 0.00284, 0.00111, 0.00167],
    'stosa-sevo': [0.00169, 0.00319, 0.00197, 0.00229, 0.00159],
  },
  tools: {
    'bert4rec-sevo': [0.000543, 0.000619, 0.00133, 0.00061, 0.000847],
    'gru4rec-sevo': [0.000356, 0.00143, 0.00199, 0.000778, 0.000797],
    'mf-bpr-sevo': [0.000332, 0.000642, 0.00106, 0.000378, 0.000464],
    'mf-bpr-sevo-users': [0.000342, 0.000823, 0.000996, 0.000485, 0.000472],
    'sasrec-sevo': [0.000311, 0.000415, 0.000881, 0.000321, 0.000444],
    'stosa-sevo': [0.000329, 0.000555, 0.00123, 0.000303, 0.000493],
  },
  toys: {
    'bert4rec-sevo': [0.000731, 0.000802, 0.00194, 0.000574, 0.000838],
    'gru4rec-sevo': [0.000396, 0.000541, 0.000563, 0.000466, 0.000439],
    'mf-bpr-sevo': [0.000239, 0.000736, 0.000586, 0.000311, 0.000265],
    'mf-bpr-sevo-users': [0.000329, 0.000235, 0.000817, 0.000207, 0.000391],
    'sasrec-sevo': [0.000799, 0.000546, 0.00139, 0.000673, 0.000746],
    'stosa-sevo': [0.000602, 0.00124, 0.000482, 0.000792, 0.000477],
  },
};

/** How far the authors' own runs of a cell of Table 3 lie apart; null where their logs have none. */
export function sevoSpread(
  dataset: string,
  { method, metric }: { method: string; metric: SevoMetric },
): { standardDeviation: number; n: number } | null {
  const standardDeviation = SPREADS[dataset]?.[method]?.[SEVO_METRICS.indexOf(metric)];
  return standardDeviation === undefined ? null : { standardDeviation, n: 5 };
}

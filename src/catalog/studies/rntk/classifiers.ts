import { RNTK_TABLE_DATASETS, RNTK_TABLE_METHODS, type RntkTableMethod } from '#src/catalog/published/rntkTables.ts';
import { UCR_DATASETS } from '#src/catalog/knownUcr.ts';
import type { StudyArm } from '../study.ts';

/** Columns of Tables 1 and 2. */
export const METHOD_LABELS: Readonly<Record<RntkTableMethod, string>> = {
  rntk: 'RNTK',
  ntk: 'NTK',
  rbf: 'RBF',
  polynomial: 'Polynomial',
  'gaussian-rnn': 'Gaussian RNN',
  'identity-rnn': 'Identity RNN',
  gru: 'GRU',
};

export const KERNELS = ['rntk', 'ntk', 'rbf', 'polynomial'] as const;
export type KernelName = (typeof KERNELS)[number];

export const isKernel = (method: RntkTableMethod): method is KernelName => KERNELS.some((kernel) => kernel === method);

/** By the name that the paper prints, in lower case; one of them lacks its first letter there. */
const KNOWN = new Map(UCR_DATASETS.map(({ name }) => [name.replace(/^ucr\//, '').toLowerCase(), name]));

/** The catalog's dataset of a line of Table 2; null where it has none. */
export function datasetOf(printedName: string): string | null {
  return KNOWN.get(printedName.toLowerCase()) ?? null;
}

/** Lines of Table 2 whose sets the catalog knows. */
export const KNOWN_SETS: readonly string[] = RNTK_TABLE_DATASETS.filter((name) => datasetOf(name) !== null);

/** Its kernel accuracies do not fit the size of its test part (they are whole numbers of 154 series, not of 291). */
export const SET_APART = 'MiddlePhalanxOutlineCorrect';

export const armName = (method: RntkTableMethod, printedName: string): string => `${method}/${printedName}`;

/** The networks of the paper's grid take hours each: one layer of 50 units and one rate take seconds. */
const QUICK_NETWORK = { layers: [1], widths: [50], learningRates: [0.001], epochs: 30, folds: 2 };

const NETWORK = { 'gaussian-rnn': 'rnn-gaussian', 'identity-rnn': 'rnn-identity', gru: 'gru' } as const;

/** A cell of Table 2: a set by a classifier. Null where the catalog lacks the set. */
export function classifierArm(method: RntkTableMethod, printedName: string): StudyArm | null {
  const dataset = datasetOf(printedName);
  if (dataset === null) return null;
  const shared = { name: armName(method, printedName), label: METHOD_LABELS[method], dataset };
  if (isKernel(method)) {
    return {
      ...shared,
      kind: 'rntk-classification',
      parameters: { kernel: method },
      minutes: method === 'rntk' ? 0.7 : 0.15,
    };
  }
  return {
    ...shared,
    kind: 'rnn-classification',
    parameters: { network: NETWORK[method] },
    minutes: method === 'gru' ? 300 : 120,
    quick: { parameters: QUICK_NETWORK, minutes: 0.5 },
  };
}

export const CLASSIFIER_ARMS: readonly StudyArm[] = KNOWN_SETS.flatMap((name) =>
  RNTK_TABLE_METHODS.flatMap((method) => classifierArm(method, name) ?? []),
);

export const KERNEL_ARMS: readonly StudyArm[] = KNOWN_SETS.flatMap((name) =>
  KERNELS.flatMap((method) => classifierArm(method, name) ?? []),
);

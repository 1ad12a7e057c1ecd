import type { Preset } from '../kind.ts';

/** LEPORID, Section 5.1: which datasets are prepared how, and split 70 / 10 / 20 by time; `tables` counts as its Table 2. */
const DATASETS = {
  'ml-100k': { dataset: 'ml-100k', title: 'MovieLens 100K, strict 20-core', coreRule: 'iterative' },
  'ml-1m': { dataset: 'ml-1m', title: 'MovieLens 1M, 20-core counted once as in Table 2', coreRule: 'one-pass' },
  'ml-1m-strict': { dataset: 'ml-1m', title: 'MovieLens 1M, strict 20-core', coreRule: 'iterative' },
} as const;

export type LeporidDataset = keyof typeof DATASETS;

export const LEPORID_DATASETS: readonly LeporidDataset[] = ['ml-100k', 'ml-1m', 'ml-1m-strict'];

/** A preset in the protocol of LEPORID: 70 / 10 / 20 by time, candidates unseen before, cut-offs 1, 5 and 10. */
export function leporidPreset(
  model: string,
  on: LeporidDataset,
  { title = '', parameters = {} }: { title?: string; parameters?: Record<string, unknown> } = {},
): Preset {
  const { dataset, title: data, coreRule } = DATASETS[on];
  return {
    name: `leporid/${model}-${on}`,
    description: `${data}; 70, 10 and 20 % of each user in time; items unseen in training and validation are ranked.${title === '' ? '' : ` ${title}`}`,
    dataset,
    selection: { core: 20, coreRule, split: 'ratio-by-time' },
    parameters: { cutoffs: [1, 5, 10], excludeSeen: true, ...parameters },
  };
}

/** One such preset for each dataset. */
export function leporidPresets(
  model: string,
  options: { title?: string; parameters?: Record<string, unknown> } = {},
): Preset[] {
  return LEPORID_DATASETS.map((on) => leporidPreset(model, on, options));
}

import type { Preset } from '../kind.ts';
import { LEPORID_DATASETS, type LeporidDataset, leporidPreset } from './leporidPresets.ts';

/** LEPORID, Section 5.2 and Appendix F. */
const INITS: Readonly<Record<string, { init: Record<string, unknown>; title: string; hasNeighbours: boolean }>> = {
  random: { init: { method: 'normal', deviation: 0.01 }, title: 'Embeddings start at random', hasNeighbours: false },
  svd: { init: { method: 'svd' }, title: 'Embeddings start from an SVD', hasNeighbours: false },
  bpr: { init: { method: 'bpr' }, title: 'Embeddings start from BPR', hasNeighbours: false },
  netmf: { init: { method: 'netmf' }, title: 'Embeddings start from NetMF', hasNeighbours: true },
  node2vec: { init: { method: 'node2vec' }, title: 'Embeddings start from node2vec', hasNeighbours: false },
  'graph-bert': { init: { method: 'graph-bert' }, title: 'Embeddings start from Graph-Bert', hasNeighbours: false },
  le: { init: { method: 'le' }, title: 'Embeddings start from Laplacian Eigenmaps', hasNeighbours: true },
  leporid: { init: { method: 'leporid' }, title: 'Embeddings start from LEPORID, α = 0.5', hasNeighbours: true },
};

/** K of the graphs: the paper's, and less where there are fewer users and items. */
const NEIGHBOURS: Readonly<Record<LeporidDataset, number>> = { 'ml-100k': 200, 'ml-1m': 1000, 'ml-1m-strict': 1000 };

/**
 * `leporid/MODEL-INIT-DATASET` for each initialiser and dataset: one model from all starts. `ofComputed` are parts of `init` for
 * embeddings that are not drawn; `onlyComputed` leaves those out that are.
 */
export function leporidInitPresets(
  model: string,
  parameters: Record<string, unknown> = {},
  ofComputed: Record<string, unknown> = {},
  { onlyComputed = false } = {},
): Preset[] {
  const inits = Object.entries(INITS).filter(([name]) => !(onlyComputed && name === 'random'));
  const scaled = ofComputed.columns === 'z-score' ? ', their columns scaled to mean 0 and deviation 1' : '';
  const kept = ofComputed.frozen === true ? ', and stay as they are' : '';
  return inits.flatMap(([name, { init, title, hasNeighbours }]) =>
    LEPORID_DATASETS.map((on) => {
      const isDrawn = name === 'random';
      const start = {
        ...init,
        ...(isDrawn ? {} : ofComputed),
        ...(hasNeighbours && { neighbours: NEIGHBOURS[on] }),
      };
      return leporidPreset(`${model}-${name}`, on, {
        title: isDrawn ? `${title}.` : `${title}${scaled}${kept}.`,
        parameters: { ...parameters, init: start },
      });
    }),
  );
}

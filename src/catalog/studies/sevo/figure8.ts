import type { Study } from '../study.ts';
import { sevoArm } from './backbones.ts';

/** Ways whose embeddings are drawn, by the name of the map's input; they stand side by side in the order of these names. */
const WAYS = [
  { input: 'baseline', suffix: '', label: 'without SEvo' },
  { input: 'genres-0-5', suffix: '-genres-0-5', label: 'genres, β = 0.5' },
  { input: 'genres-0-99', suffix: '-genres-0-99', label: 'genres, β = 0.99' },
  { input: 'transitions', suffix: '-sevo', label: 'interactions, β = 0.99' },
] as const;

const EMBEDDINGS = 'item-embeddings.npy';

/** SEvo, Figure 8: movies mapped by their embeddings and colored by genre. */
export const sevoFigure8Study: Study = {
  name: 'sevo/figure-8',
  title: 'Map of movies by their embeddings',
  source: 'Figure 8, Section 5.6',
  notes:
    'One run maps the embeddings of all ways, so that they share places and colors. Purity, the share of an item’s nearest items that have its genre, stands for what the eye sees.',
  arms: [
    ...WAYS.map(({ suffix, label }) => sevoArm({ backbone: 'sasrec', dataset: 'ml-1m', suffix, label })),
    {
      name: 'map',
      label: 'map',
      kind: 'embedding-map',
      preset: 'sevo/embedding-map-ml-1m',
      inputs: WAYS.map(({ input, suffix }) => ({ name: input, arm: `sasrec${suffix}/ml-1m`, artifact: EMBEDDINGS })),
      minutes: 5,
      quick: { dataset: { maximumUsers: 300 }, parameters: { mapEpochs: 100 }, minutes: 1 },
    },
  ],
  seeds: { quick: [1], paper: [1, 2, 3] },
  figures: [
    {
      name: 'map',
      title: 'UMAP of item embeddings',
      shows: 'Smoothed over genres, films of a genre cluster; the more, the larger β is.',
      panels: [{ title: 'MovieLens-1M', arm: 'map', artifact: 'map.png' }],
    },
  ],
  claims: [
    {
      name: 'clusters-by-genre',
      text: 'Smoothing over genres leads to progressively stronger clusters as β increases.',
      source: 'Section 5.6',
      statements: [
        { above: 'map', below: 'map', metric: 'genres-0-5/purity', belowMetric: 'baseline/purity' },
        { above: 'map', below: 'map', metric: 'genres-0-99/purity', belowMetric: 'genres-0-5/purity' },
      ],
    },
  ],
};

import { z } from 'zod';
import type { BuiltInKind } from '../kind.ts';
import { COMPUTED_METHODS, METHOD_TEXT } from '../parameters/embeddingParameters.ts';
import { mapParameters } from '../parameters/mapParameters.ts';

export const embeddingMapParameters = z.strictObject({
  ...mapParameters,
  method: z
    .enum(['input', ...COMPUTED_METHODS])
    .default('input')
    .describe(
      `Where the embeddings of items come from. input: the run's inputs, one panel each in the order of their names, .npy files such as item-embeddings.npy of any trained kind; or computed from training interactions, with the settings of LEPORID, Appendix F: ${METHOD_TEXT}. Default input.`,
    ),
  dimension: z
    .int()
    .min(1)
    .max(4096)
    .default(64)
    .describe('Length of computed embeddings. Default 64. More tells items apart that are closer. Not used by input.'),
  graphNeighbours: z
    .int()
    .min(1)
    .max(100_000)
    .default(1000)
    .describe(
      'Nearest neighbours of each node of the graphs of le, leporid and netmf. Default 1000. More makes them denser and smoother. Not used by other methods.',
    ),
});

export type EmbeddingMapParameters = z.output<typeof embeddingMapParameters>;

export const embeddingMapKind: BuiltInKind<'embedding-map', typeof embeddingMapParameters> = {
  kind: 'embedding-map',
  version: 1,
  title: 'Map of item embeddings',
  description:
    'Draws embeddings of items in the plane by UMAP, coloured by genre, those of several runs side by side, with a number beside the picture: purity, the share of an item’s nearest items that have its label, in the embedding and in the map, against chance/purity. For datasets whose genres are known.',
  source:
    'L. McInnes, J. Healy, J. Melville. UMAP: Uniform manifold approximation and projection for dimension reduction, 2018; as in SEvo, Figure 8.',
  parameters: embeddingMapParameters,
  data: 'sequences',
  splits: ['leave-one-out', 'ratio-by-time', 'global-time'],
  presets: [
    {
      name: 'sevo/embedding-map-ml-1m',
      description:
        'MovieLens 1M as SEvo prepares it: the item-embeddings.npy of runs of sevo/…-ml-1m, given as inputs, as in Figure 8.',
      dataset: 'ml-1m',
      selection: { core: 5 },
      parameters: {},
    },
    {
      name: 'demo/embedding-map-generated',
      description:
        'Generated clusters as genres, embedded by a singular value decomposition: a few seconds, no download.',
      dataset: 'generated/clusters-600x300',
      parameters: { method: 'svd', dimension: 16 },
    },
  ],
  primaryMetric: 'purity',
};

import { z } from 'zod';

/** How embeddings are mapped to the plane; the paper names no settings of UMAP, so they are those of its authors' program. */
export const mapParameters = {
  neighbours: z
    .int()
    .min(2)
    .max(1000)
    .default(15)
    .describe(
      'Nearest items that UMAP keeps near each item, itself among them (n_neighbors). Default 15. More shows larger structure and less detail, in more time and memory.',
    ),
  minimumDistance: z
    .number()
    .min(0)
    .max(3)
    .default(0.1)
    .describe('How close UMAP may place items (min_dist). Default 0.1. More spreads clusters out.'),
  mapEpochs: z
    .int()
    .min(1)
    .max(100_000)
    .nullable()
    .default(null)
    .describe(
      'Epochs of UMAP’s layout; null for 500 up to 2,500 items, 400 up to 5,000, 300 up to 7,500, else 200. Default null. More settles further, in proportionally more time.',
    ),
  metric: z
    .enum(['euclidean', 'cosine'])
    .default('euclidean')
    .describe(
      'By which items are near each other. Default euclidean, as in UMAP’s program; cosine leaves lengths out.',
    ),
  purityNeighbours: z
    .int()
    .min(1)
    .max(1000)
    .default(10)
    .describe(
      'Nearest items among which purity counts those with the item’s label, in the embedding and in the map. Default 10. More looks farther around each item.',
    ),
  labels: z
    .enum(['categories', 'genres'])
    .default('categories')
    .describe(
      'By what items are coloured and purity counts: categories: MovieLens’s 18 genres in the six categories of Figure 8, an item in the one that most of its genres are in (of equals, that of the genre listed first; the paper does not say), genres of other datasets each for itself; genres: the genre listed first. Default categories.',
    ),
};

const mapSettings = z.strictObject(mapParameters);
export type MapSettings = z.output<typeof mapSettings>;

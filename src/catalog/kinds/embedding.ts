import { z } from 'zod';
import type { BuiltInKind, Preset } from '../kind.ts';
import { COMPUTED_METHODS, embeddingParameters, METHOD_TEXT } from '../parameters/embeddingParameters.ts';
import { cited } from '../published/papers.ts';

export const embeddingKindParameters = z.strictObject({
  method: z
    .enum(['random', ...COMPUTED_METHODS])
    .default('leporid')
    .describe(
      `How users and items are embedded, from training interactions alone. random: normal with deviation; ${METHOD_TEXT}. Default leporid.`,
    ),
  dimension: z
    .int()
    .min(1)
    .max(4096)
    .default(64)
    .describe(
      'Length of each embedding, at most the number of users and of items. Default 64. More tells nodes apart that are closer, in more time and memory.',
    ),
  deviation: z
    .number()
    .positive()
    .max(100)
    .default(0.01)
    .describe('Standard deviation of random. Default 0.01. More starts with larger, random scores.'),
  ...embeddingParameters,
  pictureNodes: z
    .int()
    .min(0)
    .max(2000)
    .default(300)
    .describe(
      'Nodes drawn in the picture of the first four dimensions; of larger graphs an even sample, without edges. Default 300; 0 draws none.',
    ),
});

export type EmbeddingKindParameters = z.output<typeof embeddingKindParameters>;

/** MovieLens 1M as the paper prepares and splits it; what is embedded is the training part. */
const paper = (name: string, what: string, parameters: Record<string, unknown>): Preset => ({
  name: `leporid/embedding-${name}-ml-1m`,
  description: `MovieLens 1M, 20-core counted once, first 70 % of each user in time: ${what}.`,
  dataset: 'ml-1m',
  selection: { core: 20, coreRule: 'one-pass', split: 'ratio-by-time' },
  parameters,
});

export const embeddingKind: BuiltInKind<'embedding', typeof embeddingKindParameters> = {
  kind: 'embedding',
  version: 1,
  title: 'Embeddings of users and items',
  description:
    'Computes embeddings of users and of items that other kinds start from (init.method input), and leaves them as user-embeddings.npy and item-embeddings.npy in single precision, row by row. For methods on nearest-neighbour graphs it reports degrees, parts and isolated nodes, eigenvalues and residuals, and draws the first four dimensions on the graph.',
  source: cited('leporid', 'Sections 3 and 5.2, Figure 1, Appendix F'),
  parameters: embeddingKindParameters,
  data: 'sequences',
  splits: ['leave-one-out', 'ratio-by-time', 'global-time'],
  presets: [
    ...(['leporid', 'le', 'svd', 'bpr', 'netmf', 'node2vec', 'graph-bert', 'random'] as const).map((method) =>
      paper(method, `${method} with the settings of Appendix F`, { method }),
    ),
    ...[0, 0.3, 0.7, 1].map((alpha) =>
      paper(`alpha-${String(alpha).replace('.', '-')}`, `leporid with α = ${alpha} (Figure 4b)`, { alpha }),
    ),
    ...[100, 200, 500, 2000].map((neighbours) =>
      paper(`k-${neighbours}`, `leporid with K = ${neighbours} (Figure 4c)`, { neighbours }),
    ),
    {
      name: 'leporid/embedding-ml-100k',
      description: 'MovieLens 100K, strict 20-core, first 70 % of each user in time: leporid with 200 neighbours.',
      dataset: 'ml-100k',
      selection: { core: 20, split: 'ratio-by-time' },
      parameters: { neighbours: 200 },
    },
    {
      name: 'demo/embedding-generated',
      description: 'Blocks of users and items, generated: the picture shows them. Needs no download, takes seconds.',
      dataset: 'generated/blocks-small',
      parameters: { neighbours: 10, dimension: 16 },
    },
  ],
  primaryMetric: 'time/embed',
};

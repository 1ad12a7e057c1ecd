import { z } from 'zod';

/** How embeddings of users and items are computed from training interactions, rather than drawn. */
export const COMPUTED_METHODS = ['svd', 'le', 'leporid', 'bpr', 'netmf', 'node2vec', 'graph-bert'] as const;
export type ComputedMethod = (typeof COMPUTED_METHODS)[number];

export const METHOD_TEXT =
  'svd: U √Σ and V √Σ of the user-item matrix; le: Laplacian Eigenmaps of a nearest-neighbour graph; leporid: the same, regularised by popularity; bpr: matrix factorisation by Bayesian personalised ranking; netmf: DeepWalk of the graph, as a factorisation; node2vec: biased walks over users and items, read as sentences by a skip-gram; graph-bert: a transformer over each node and those that it is most intimate with, pretrained to recover the graph of users and items';

const schemas = {
  neighbours: z.int().min(1).max(100_000),
  similarity: z.enum(['jaccard', 'cosine', 'inverse-frequency']),
  alpha: z.number().min(0).max(1),
  laplacian: z.enum(['symmetric', 'unnormalised']),
  eigenvectors: z.enum(['smallest', 'largest-magnitude']),
  columns: z.enum(['as-computed', 'z-score']),
  tolerance: z.number().positive().max(0.01),
  maximumProducts: z.int().min(1).max(100_000_000).nullable(),
};

/** The paper's settings (LEPORID, Appendix F). */
export const EMBEDDING_DEFAULTS = {
  neighbours: 1000,
  similarity: 'jaccard',
  alpha: 0.5,
  laplacian: 'symmetric',
  eigenvectors: 'smallest',
  columns: 'as-computed',
  tolerance: 1e-8,
  maximumProducts: null,
} as const;

const TEXTS = {
  neighbours:
    'Nearest neighbours K of each node of the graphs of users and of items, less than either has; an edge stands where either end has the other. Used by le, leporid and netmf. Default 1000. More makes the graphs denser and smoother, in more time and memory.',
  similarity:
    'By which neighbours are near, and the weight of an edge: jaccard: items in common over items of either (Eq. 9); cosine; inverse-frequency: cosine with common items weighing less. Ties go to the lower number. Default jaccard.',
  alpha:
    'Weight α of the regularisation of nodes with few neighbours, 0 to 1; only leporid has it, le is 0. Default 0.5. More pulls them closer to 0.',
  laplacian:
    'symmetric: L_sym and L_regsym (Eqs. 3 and 8), used for all results of the paper; unnormalised: L and L_reg (Eqs. 1 and 7). Used by le and leporid. Default symmetric.',
  eigenvectors:
    'smallest: of the smallest eigenvalues of the Laplacian, as the text says and the embeddings that its authors ship have; largest-magnitude: what their program asks for, the largest |1 - λ|, among them the wrong end of the spectrum. Used by le and leporid. Default smallest.',
  columns:
    'as-computed, or z-score: each dimension less its mean and divided by its standard deviation, a step of the authors’ program that the paper does not mention. Default as-computed.',
  tolerance:
    'Greatest residual ‖A x - λ x‖ of an eigenvector, as a multiple of the largest |λ|. Default 1e-8. More is faster and less exact.',
  maximumProducts:
    'Products of the matrix with one vector after which the eigensolver gives up, keeping what converged; null for 20,000 and 200 for each dimension. Default null.',
} as const;

/** Of the method bpr; LEPORID, Appendix F, but for the epochs, which it does not say. */
const bprParameters = z.strictObject({
  epochs: z
    .int()
    .min(1)
    .max(10_000)
    .default(20)
    .describe('Passes over the training interactions. Default 20. More fits closer, up to overfitting.'),
  learningRate: z
    .number()
    .positive()
    .max(10)
    .default(0.25)
    .describe('Step size of gradient descent. Default 0.25. More learns faster and less steadily.'),
  regularization: z
    .number()
    .min(0)
    .max(10)
    .default(0.1)
    .describe('L2 penalty on the embeddings of each triple. Default 0.1. More keeps embeddings smaller.'),
});

/** Of the method netmf. */
const netmfParameters = z.strictObject({
  window: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe('Steps of a random walk within which nodes are neighbours, T. Default 10. More sees farther.'),
  rank: z
    .int()
    .min(1)
    .max(4096)
    .default(256)
    .describe(
      'Eigenpairs from which the walks’ matrix is approximated, at most the nodes there are. Default 256. More is closer to the exact one, in more time.',
    ),
  negatives: z
    .number()
    .positive()
    .max(1000)
    .default(1)
    .describe('Negative samples of the skip-gram that is factorised, b. Default 1. More keeps only stronger ties.'),
});

/** Of the method node2vec: walks as in LEPORID, Appendix F, the rest as its authors' program has it. */
const node2vecParameters = z.strictObject({
  walkLength: z
    .int()
    .min(2)
    .max(10_000)
    .default(80)
    .describe('Nodes of a walk. Default 80. More see more of the graph, in proportionally more time.'),
  walks: z.int().min(1).max(1000).default(10).describe('Walks from each node. Default 10. More take longer.'),
  p: z
    .number()
    .positive()
    .max(1e6)
    .default(1)
    .describe('Going back has weight 1/p. Default 1. More walks onwards sooner.'),
  q: z
    .number()
    .positive()
    .max(1e6)
    .default(1)
    .describe('Leaving the neighbourhood of the last node has weight 1/q. Default 1. More stays near.'),
  window: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe('Steps to each side that are context. Default 10. More brings nodes together that are farther apart.'),
  negatives: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .describe('Nodes drawn against each that came. Default 5. More take longer.'),
  epochs: z.int().min(1).max(1000).default(1).describe('Passes over the walks. Default 1. More fit closer.'),
  learningRate: z
    .number()
    .positive()
    .max(10)
    .default(0.025)
    .describe('First step size, falling to a 250th. Default 0.025. More learns faster and less steadily.'),
});

/** Of the method graph-bert: its authors' code, but for the dimension. */
const graphBertParameters = z.strictObject({
  intimates: z
    .int()
    .min(1)
    .max(1000)
    .default(7)
    .describe('Nodes that each node attends to, k. Default 7. More sees more of the graph, in more time and memory.'),
  layers: z.int().min(1).max(32).default(2).describe('Layers of the transformer. Default 2. More take longer.'),
  heads: z
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe('Attention heads, a divisor of dimension. Default 2. More attend to several things at once.'),
  epochs: z
    .int()
    .min(1)
    .max(100_000)
    .default(200)
    .describe('Passes over all nodes at once. Default 200. More fit the graph closer.'),
  learningRate: z
    .number()
    .positive()
    .max(10)
    .default(0.001)
    .describe('Step size of Adam. Default 0.001. More learns faster and less steadily.'),
  weightDecay: z
    .number()
    .min(0)
    .max(100)
    .default(0.0005)
    .describe('L2 penalty of Adam. Default 0.0005. More keeps parameters smaller.'),
});

/** The settings of computed embeddings, for a kind that always has them. */
export const embeddingParameters = {
  neighbours: schemas.neighbours.default(EMBEDDING_DEFAULTS.neighbours).describe(TEXTS.neighbours),
  similarity: schemas.similarity.default(EMBEDDING_DEFAULTS.similarity).describe(TEXTS.similarity),
  alpha: schemas.alpha.default(EMBEDDING_DEFAULTS.alpha).describe(TEXTS.alpha),
  laplacian: schemas.laplacian.default(EMBEDDING_DEFAULTS.laplacian).describe(TEXTS.laplacian),
  eigenvectors: schemas.eigenvectors.default(EMBEDDING_DEFAULTS.eigenvectors).describe(TEXTS.eigenvectors),
  columns: schemas.columns.default(EMBEDDING_DEFAULTS.columns).describe(TEXTS.columns),
  tolerance: schemas.tolerance.default(EMBEDDING_DEFAULTS.tolerance).describe(TEXTS.tolerance),
  maximumProducts: schemas.maximumProducts.default(EMBEDDING_DEFAULTS.maximumProducts).describe(TEXTS.maximumProducts),
  bpr: bprParameters.prefault({}).describe('How the method bpr is trained: epochs, learningRate and regularization.'),
  netmf: netmfParameters.prefault({}).describe('What the method netmf factorises: window, rank and negatives.'),
  node2vec: node2vecParameters
    .prefault({})
    .describe(
      'How the method node2vec walks and learns: walkLength, walks, p, q, window, negatives, epochs and learningRate.',
    ),
  graphBert: graphBertParameters
    .prefault({})
    .describe(
      'How the method graph-bert is built and pretrained: intimates, layers, heads, epochs, learningRate and weightDecay.',
    ),
};

function later<Schema extends z.ZodType>(schema: Schema, name: keyof typeof TEXTS) {
  return schema.optional().meta({ default: EMBEDDING_DEFAULTS[name] }).describe(TEXTS[name]);
}

/** The same as parts of `init`, absent unless given: configurations that do not name them keep their hash. */
export const laterEmbeddingParameters = {
  neighbours: later(schemas.neighbours, 'neighbours'),
  similarity: later(schemas.similarity, 'similarity'),
  alpha: later(schemas.alpha, 'alpha'),
  laplacian: later(schemas.laplacian, 'laplacian'),
  eigenvectors: later(schemas.eigenvectors, 'eigenvectors'),
  columns: later(schemas.columns, 'columns'),
  tolerance: later(schemas.tolerance, 'tolerance'),
  maximumProducts: later(schemas.maximumProducts, 'maximumProducts'),
  bpr: bprParameters.optional().describe('How bpr is trained: epochs 20, learningRate 0.25 and regularization 0.1.'),
  netmf: netmfParameters.optional().describe('What netmf factorises: window 10, rank 256 and negatives 1.'),
  node2vec: node2vecParameters
    .optional()
    .describe(
      'How node2vec walks and learns: walkLength 80, walks 10, p 1, q 1, window 10, negatives 5, epochs 1 and learningRate 0.025.',
    ),
  graphBert: graphBertParameters
    .optional()
    .describe(
      'How graph-bert is built and pretrained: intimates 7, layers 2, heads 2, epochs 200, learningRate 0.001 and weightDecay 0.0005.',
    ),
};

const computed = z.object(embeddingParameters);
export type ComputedSettings = z.output<typeof computed>;

/** Settings that were given, the others as in the paper. */
export function computedSettings(given: Partial<ComputedSettings>): ComputedSettings {
  return computed.parse(given);
}

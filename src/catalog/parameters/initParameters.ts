import { z } from 'zod';
import { COMPUTED_METHODS, laterEmbeddingParameters, METHOD_TEXT } from './embeddingParameters.ts';

const DRAWN = ['xavier-normal', 'xavier-uniform', 'normal', 'uniform'] as const;
export type DrawnMethod = (typeof DRAWN)[number];

/** Which settings a computed method has. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  svd: ['tolerance', 'maximumProducts', 'columns'],
  le: ['neighbours', 'similarity', 'laplacian', 'eigenvectors', 'tolerance', 'maximumProducts', 'columns'],
  leporid: [
    'neighbours',
    'similarity',
    'alpha',
    'laplacian',
    'eigenvectors',
    'tolerance',
    'maximumProducts',
    'columns',
  ],
  bpr: ['bpr', 'columns'],
  netmf: ['neighbours', 'similarity', 'netmf', 'tolerance', 'maximumProducts', 'columns'],
  node2vec: ['node2vec', 'columns'],
  'graph-bert': ['graphBert', 'columns'],
  input: ['columns'],
};

const EMBEDDING_FIELDS = Object.keys(laterEmbeddingParameters);

function initShape(initial: DrawnMethod) {
  return {
    method: z
      .enum([...DRAWN, ...COMPUTED_METHODS, 'input'])
      .default(initial)
      .describe(
        `What the embeddings of items (and of users, where there are any) start from. Drawn: xavier-normal and xavier-uniform choose their own scale, 2 / (items + dimension) as variance, normal and uniform have deviation. Computed from the training interactions: ${METHOD_TEXT}. input: the .npy files of another run, given to the run as the inputs item-embeddings and user-embeddings. Default ${initial}.`,
      ),
    deviation: z
      .number()
      .positive()
      .max(100)
      .default(0.02)
      .describe(
        'Standard deviation of normal and uniform. Default 0.02. More starts with larger, random scores. Not used by other methods.',
      ),
    ...laterEmbeddingParameters,
  };
}

const frozen = z
  .boolean()
  .optional()
  .meta({ default: false })
  .describe(
    'Keep the embeddings as they start and train the rest alone, as LEPORID’s authors do with computed ones. Default false: they are trained, too.',
  );

/** Refuses settings that the method does not have. */
function checkInit(init: { method: string } & Record<string, unknown>, context: z.RefinementCtx): void {
  for (const field of EMBEDDING_FIELDS) {
    if (init[field] === undefined) continue;
    const allowed = SETTINGS[init.method] ?? [];
    if (allowed.includes(field)) continue;
    const users = Object.keys(SETTINGS).filter((method) => SETTINGS[method]?.includes(field));
    const message = `${init.method} has none: it is for ${users.join(', ')}`;
    context.addIssue({ code: 'custom', path: [field], message });
  }
}

/**
 * What embeddings start from: drawn at random, by the method `initial` where nothing is said, computed from the training
 * interactions, or another run's artifacts.
 */
export const initObjectFrom = (initial: DrawnMethod) =>
  z.strictObject({ ...initShape(initial), frozen }).superRefine(checkInit);

/** The same for kinds that train nothing but embeddings, which cannot be frozen. */
export const trainedInitObject = z.strictObject(initShape('xavier-normal')).superRefine(checkInit);

export type InitParameters = z.output<ReturnType<typeof initObjectFrom>>;

/** `initObjectFrom` as a parameter of its own that may be left out. */
export const initParametersFrom = (initial: DrawnMethod) =>
  initObjectFrom(initial).prefault({}).describe('What the embeddings start from.');

/** The same, drawn from Xavier's normal distribution where nothing is given. */
export const initParameters = initParametersFrom('xavier-normal');

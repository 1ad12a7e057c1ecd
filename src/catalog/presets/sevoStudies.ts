/** The studies of SEvo's Sections 5.3 to 5.6 that train one network in several ways. */
export const SEVO_STUDIES = [
  'rescaling',
  'smoothness',
  'optimizers',
  'forms',
  'layers',
  'correction',
  'ends',
  'paths',
  'prior',
  'clusters',
] as const;
export type SevoStudyName = (typeof SEVO_STUDIES)[number];

/** One way of training. */
export interface StudyArm {
  /** In the names of its metrics, such as `beta-0-9`. */
  name: string;
  /** In the figure: its place on the x axis, on the curve of its series, or alone as a curve or a bar. */
  label: string;
  series?: string;
  x?: number;
  /** What differs in `optimizer.smoothing`; null for no smoothing. */
  smoothing: Record<string, unknown> | null;
  /** What differs in `optimizer`. */
  optimizer?: Record<string, unknown>;
}

export interface SevoStudy {
  /** Where the paper has it. */
  source: string;
  /** What it compares. */
  words: string;
  /**
   * What is drawn: metrics by epoch, one curve an arm; test metrics by x, one curve a series; or as bars; or the embeddings of
   * the items, one panel an arm.
   */
  figure:
    | { form: 'epochs'; metrics: readonly string[] }
    | { form: 'line'; x: string }
    | { form: 'bars' }
    | { form: 'maps' };
  /** Whether it is for datasets with genres only. */
  needsGenres?: true;
  arms: readonly StudyArm[];
}

const PLAIN: StudyArm = { name: 'plain', label: 'without SEvo', smoothing: null };
const SEVO: StudyArm = { name: 'sevo', label: 'SEvo', smoothing: {} };
const nameOf = (value: number): string => String(value).replace('.', '-');
const BETAS = [0.3, 0.5, 0.7, 0.9, 0.99];
const OVER_GENRES = { weights: { transitions: 0, genres: 1 } };
/** What methods other than adamw are told; settings of our own, as the paper names none. */
const METHODS = {
  sgd: { method: 'sgd', learningRate: 1, momentum: 0.9, weightDecay: 1e-5 },
  adam: { method: 'adam', weightDecay: 1e-6 },
  adamw: {},
} as const;

export const STUDY_OF: Readonly<Record<SevoStudyName, SevoStudy>> = {
  rescaling: {
    source: 'Figure 4a',
    words: 'convergence with and without rescaling',
    figure: { form: 'epochs', metrics: ['train/loss'] },
    arms: [
      PLAIN,
      { name: 'neumann', label: 'SEvo without rescaling', smoothing: { form: 'neumann' } },
      { ...SEVO, label: 'SEvo with rescaling' },
    ],
  },
  smoothness: {
    source: 'Figure 4b',
    words: 'smoothness of the variation before and after the transformation, and of the embeddings, over β',
    figure: { form: 'epochs', metrics: ['smoothness/variation', 'smoothness/smoothed', 'smoothness/embedding'] },
    arms: [0, 0.5, 0.9, 0.99, 0.999].map((beta) => ({
      name: `beta-${nameOf(beta)}`,
      label: `β = ${beta}`,
      smoothing: { beta },
    })),
  },
  optimizers: {
    source: 'Figure 5a',
    words: 'SGD with momentum, Adam and AdamW, each without and with SEvo',
    figure: { form: 'bars' },
    arms: Object.entries(METHODS).flatMap(([method, optimizer]) => [
      { ...PLAIN, name: method, label: method, optimizer },
      { ...SEVO, name: `${method}-sevo`, label: `${method} with SEvo`, optimizer },
    ]),
  },
  forms: {
    source: 'Figure 5b',
    words: 'the Neumann series against the iterative form over β',
    figure: { form: 'line', x: 'β' },
    arms: (['rescaled', 'iterative'] as const).flatMap((form) =>
      BETAS.map((beta) => ({
        name: `${form}-${nameOf(beta)}`,
        label: `β = ${beta}`,
        series: form,
        x: beta,
        smoothing: { form, beta },
      })),
    ),
  },
  layers: {
    source: 'Table 4',
    words: 'the number of layers L',
    figure: { form: 'line', x: 'layers L' },
    arms: [0, 1, 2, 3, 4, 5].map((layers) => ({
      name: `layers-${layers}`,
      label: `L = ${layers}`,
      series: 'SEvo',
      x: layers,
      smoothing: { layers },
    })),
  },
  correction: {
    source: 'Figure 6',
    words: 'SEvo-enhanced AdamW with and without moment correction',
    figure: { form: 'bars' },
    arms: [
      PLAIN,
      { name: 'uncorrected', label: 'SEvo, moments as they are', smoothing: { momentCorrection: false } },
      { name: 'corrected', label: 'SEvo, moments corrected', smoothing: { momentCorrection: true } },
    ],
  },
  ends: {
    source: 'Figure 7a',
    words: 'transitions of the first or last K items',
    figure: { form: 'line', x: 'items K' },
    arms: (['first', 'last'] as const).flatMap((end) =>
      [5, 10, 20, 50].map((items) => ({
        name: `${end}-${items}`,
        label: `${end} ${items}`,
        series: end,
        x: items,
        smoothing: { graph: { end, items } },
      })),
    ),
  },
  paths: {
    source: 'Figure 7b',
    words: 'pairs up to H apart, weighted by distance or frequency',
    figure: { form: 'line', x: 'path length H' },
    arms: (['distance', 'frequency'] as const).flatMap((weighting) =>
      [1, 2, 3, 5].map((pathLength) => ({
        name: `${weighting}-${pathLength}`,
        label: `${weighting}, H = ${pathLength}`,
        series: weighting,
        x: pathLength,
        smoothing: { graph: { pathLength, weighting } },
      })),
    ),
  },
  prior: {
    source: 'Table 5',
    words: 'smoothing over transitions and over genres',
    figure: { form: 'bars' },
    needsGenres: true,
    arms: [
      PLAIN,
      ...[0.5, 0.99].flatMap((beta) => [
        { name: `transitions-${nameOf(beta)}`, label: `transitions, β = ${beta}`, smoothing: { beta } },
        {
          name: `genres-${nameOf(beta)}`,
          label: `genres, β = ${beta}`,
          smoothing: { beta, graph: OVER_GENRES },
        },
      ]),
    ],
  },
  clusters: {
    source: 'Figure 8',
    words: 'maps of the embeddings by UMAP, smoothed over genres and over transitions',
    figure: { form: 'maps' },
    needsGenres: true,
    arms: [
      PLAIN,
      ...[0.5, 0.99].map((beta) => ({
        name: `genres-${nameOf(beta)}`,
        label: `genres, β = ${beta}`,
        smoothing: { beta, graph: OVER_GENRES },
      })),
      { ...SEVO, name: 'transitions-0-99', label: 'transitions, β = 0.99', smoothing: { beta: 0.99 } },
    ],
  },
};

import type { Preset } from '../kind.ts';

/** What is evaluated how in SEvo's Section 5: seen items left out, hit rate and NDCG at 1, 5 and 10. */
export const SEVO_PROTOCOL = { excludeSeen: true, cutoffs: [1, 5, 10] };

/** Columns of SEvo's Table 3 whose graph is in the model: they are compared, and not enhanced. */
export const GRAPH_MODELS = ['lightgcn', 'sr-gnn', 'lessr', 'maerec'] as const;
/** Its other columns: backbones that SEvo enhances. */
export const ENHANCED_MODELS = ['mf-bpr', 'gru4rec', 'sasrec', 'bert4rec', 'stosa'] as const;

/** A dataset of SEvo's Table 2, by the end of its presets' names. */
export interface SevoDataset {
  name: 'beauty' | 'toys' | 'tools' | 'ml-1m';
  title: string;
  dataset: string;
  selection?: Preset['selection'];
  /** Items of each sequence that the graph is made from (the authors' `maxlen4graph`). */
  graphItems: number;
}

export const SEVO_DATASETS: readonly SevoDataset[] = [
  { name: 'beauty', title: 'Amazon Beauty', dataset: 'amazon-beauty', graphItems: 50 },
  { name: 'toys', title: 'Amazon Toys', dataset: 'amazon-toys', graphItems: 50 },
  { name: 'tools', title: 'Amazon Tools', dataset: 'amazon-tools-and-home-improvement', graphItems: 50 },
  { name: 'ml-1m', title: 'MovieLens 1M', dataset: 'ml-1m', selection: { core: 5 }, graphItems: 200 },
];

type Parameters = Record<string, unknown>;

export interface Backbone {
  /** In names, such as `sasrec`. */
  kind: string;
  /** How it is trained, in words. */
  protocol: string;
  /** The authors' hyper-parameters by dataset; `optimizer` without smoothing. */
  parameters: Readonly<Record<SevoDataset['name'], Parameters & { optimizer?: Parameters }>>;
  /** Items of each sequence that its graph is made from, where that is not the dataset's. */
  graphItems?: Readonly<Partial<Record<SevoDataset['name'], number>>>;
}

/** A preset with the backbone's parameters and smoothing over the graph of transitions, changed by `smoothing`; null for none. */
export function sevoPreset(
  backbone: Backbone,
  of: SevoDataset,
  { suffix, words, smoothing, optimizer = {} }: Variation,
): Preset {
  const { optimizer: own = {}, ...parameters } = backbone.parameters[of.name];
  const items = backbone.graphItems?.[of.name] ?? of.graphItems;
  const graph = { ...(items === 50 ? {} : { items }), ...smoothing?.graph };
  const smoothed = smoothing === null ? {} : { smoothing: { ...smoothing, graph } };
  const whole = { ...own, ...optimizer, ...smoothed };
  return {
    name: `sevo/${backbone.kind}-${of.name}${suffix}`,
    description: `${of.title}, ${words}: ${backbone.protocol}, seen items left out, best validation tested.`,
    dataset: of.dataset,
    ...(of.selection === undefined ? {} : { selection: of.selection }),
    parameters: { ...SEVO_PROTOCOL, ...parameters, ...(Object.keys(whole).length === 0 ? {} : { optimizer: whole }) },
  };
}

export interface Variation {
  suffix: string;
  words: string;
  smoothing: (Parameters & { graph?: Parameters }) | null;
  optimizer?: Parameters;
}

/** The settings of the authors' logs, all of which are with SEvo: the paper tunes its baselines by themselves (docs/errata.md, 22). */
export const PLAIN: Variation = {
  suffix: '',
  words: 'Table 3 without SEvo, by the settings with it',
  smoothing: null,
};
export const ENHANCED: Variation = { suffix: '-sevo', words: 'Table 3 with SEvo', smoothing: {} };
export const UNCORRECTED: Variation = {
  suffix: '-uncorrected',
  words: 'Figure 6, SEvo without moment correction',
  smoothing: { momentCorrection: false },
};

/** Presets of a backbone on every dataset, without and with SEvo. */
export function sevoTablePresets(backbone: Backbone): Preset[] {
  return SEVO_DATASETS.flatMap((of) => [PLAIN, ENHANCED].map((variation) => sevoPreset(backbone, of, variation)));
}

/** A number in a name: 0.5 is `0-5`. */
function digits(value: number): string {
  return String(value).replace('.', '-');
}

/** What the figures and ablations of Sections 5.3 to 5.6 vary of SEvo-enhanced AdamW. */
const ABLATIONS: readonly Variation[] = [
  ...[0, 0.5, 0.9, 0.999].map((beta) => ({
    suffix: `-beta-${digits(beta)}`,
    words: `Figure 4b, β = ${beta}`,
    smoothing: { beta },
  })),
  ...[0, 1, 2, 4, 5].map((layers) => ({
    suffix: `-layers-${layers}`,
    words: `Table 4, L = ${layers}`,
    smoothing: { layers },
  })),
  { suffix: '-neumann', words: 'Figure 4a, without rescaling', smoothing: { form: 'neumann' } },
  ...[0.3, 0.5, 0.7, 0.9, 0.99].map((beta) => ({
    suffix: `-iterative-${digits(beta)}`,
    words: `Figure 5b, the iterative form with β = ${beta}`,
    smoothing: { form: 'iterative', beta },
  })),
  UNCORRECTED,
  ...(['sgd', 'adam'] as const).flatMap((method) => {
    const optimizer =
      method === 'sgd' ? { method, learningRate: 1, momentum: 0.9, weightDecay: 1e-5 } : { method, weightDecay: 1e-6 };
    const words = `Figure 5a, ${method} (with settings of our own)`;
    return [
      { suffix: `-${method}`, words: `${words} without SEvo`, smoothing: null, optimizer },
      { suffix: `-${method}-sevo`, words: `${words} with SEvo`, smoothing: {}, optimizer },
    ];
  }),
  ...(['first', 'last'] as const).flatMap((end) =>
    [5, 10, 20].map((items) => ({
      suffix: `-${end}-${items}`,
      words: `Figure 7a, transitions of the ${end} ${items} items`,
      smoothing: { graph: { end, items } },
    })),
  ),
  ...(['distance', 'frequency'] as const).flatMap((weighting) =>
    [2, 3, 5].map((pathLength) => ({
      suffix: `-path-${pathLength}-${weighting}`,
      words: `Figure 7b, pairs up to ${pathLength} apart by ${weighting}`,
      smoothing: { graph: { pathLength, weighting } },
    })),
  ),
];

/** Ablations on the two datasets that the paper has them on, and its prior knowledge (Table 5) on MovieLens. */
export function sevoAblationPresets(backbone: Backbone): Preset[] {
  const studied = SEVO_DATASETS.filter(({ name }) => name === 'beauty' || name === 'ml-1m');
  const presets = studied.flatMap((of) => ABLATIONS.map((variation) => sevoPreset(backbone, of, variation)));
  const films = SEVO_DATASETS.find(({ name }) => name === 'ml-1m')!;
  const priors = [0.5, 0.99].map((beta) =>
    sevoPreset(backbone, films, {
      suffix: `-genres-${digits(beta)}`,
      words: `Table 5, smoothed over genres with β = ${beta}`,
      smoothing: { beta, graph: { weights: { transitions: 0, genres: 1 } } },
    }),
  );
  return [...presets, ...priors];
}

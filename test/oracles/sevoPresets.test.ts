import { expect, test } from 'vitest';
import { z } from 'zod';
import { kindByName } from '#src/catalog/kinds.ts';
import { parametersJsonSchema, resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import paperLogs from './sevo_paper_logs.json';

const { logs } = z
  .object({
    logs: z.array(z.object({ model: z.string(), dataset: z.string(), hyper: z.record(z.string(), z.string()) })).min(1),
  })
  .parse(paperLogs);

/** How the logs name what presets name otherwise: kind, and what follows the dataset in the name of the preset. */
const MODELS: Readonly<Record<string, { kind: string; suffix: string }>> = {
  'BERT4Rec+SEvo': { kind: 'bert4rec', suffix: '-sevo' },
  'GRU4Rec+SEvo': { kind: 'gru4rec', suffix: '-sevo' },
  'MF-BPR+SEvo(I-I)': { kind: 'mf-bpr', suffix: '-sevo' },
  'MF-BPR+SEvo(U-I)': { kind: 'mf-bpr', suffix: '-sevo-users' },
  'SASRec+SEvo': { kind: 'sasrec', suffix: '-sevo' },
  'STOSA+SEvo': { kind: 'stosa', suffix: '-sevo' },
};
const DATASETS: Readonly<Record<string, string>> = {
  Beauty: 'beauty',
  'MovieLens-1M': 'ml-1m',
  Tools: 'tools',
  Toys: 'toys',
};

/** Parameter of a hyper-parameter in the logs. */
const TRAINING: Readonly<Record<string, string>> = {
  lr: 'optimizer.learningRate',
  weight_decay: 'optimizer.weightDecay',
  beta1: 'optimizer.beta1',
  beta2: 'optimizer.beta2',
  batch_size: 'batchSize',
  epochs: 'epochs',
  maxlen: 'maximumLength',
  dropout_rate: 'dropout',
  emb_dropout_rate: 'dropout',
  hidden_dropout_rate: 'dropout',
  attn_dropout_rate: 'attentionDropout',
  embedding_dim: 'dimension',
  num_heads: 'heads',
  num_blocks: 'blocks',
  num_gru_layers: 'layers',
  mask_prob: 'maskRate',
  pvn_weight: 'hingeWeight',
  EVAL_FREQ: 'evaluateEvery',
};
const SMOOTHING: Readonly<Record<string, string>> = {
  beta3: 'optimizer.smoothing.beta',
  L: 'optimizer.smoothing.layers',
  H: 'optimizer.smoothing.graph.pathLength',
  maxlen4graph: 'optimizer.smoothing.graph.items',
};
/** What logs and presets say in words. The authors' `neumann` is rescaled. */
const WORDS: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>> = {
  optimizer: { AdamWSEvo: { 'optimizer.method': 'adamw' } },
  aggr: { neumann: { 'optimizer.smoothing.form': 'rescaled' } },
  ranking: { full: { excludeSeen: true } },
  // The only distance that stosa has.
  distance_metric: { wasserstein: {} },
};

/** What a log says, by parameter of the preset. */
function loggedParameters(hyper: Readonly<Record<string, string>>, kind: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const parameterOf = { ...TRAINING, ...SMOOTHING, hidden_size: kind === 'gru4rec' ? 'hiddenSize' : 'dimension' };
  for (const [name, text] of Object.entries(hyper)) {
    if (name in WORDS) {
      const meaning = WORDS[name]![text];
      if (meaning === undefined) throw new Error(`${name} = ${text}: what it means is not known`);
      Object.assign(found, meaning);
    } else {
      const parameter = new Map(Object.entries(parameterOf)).get(name);
      if (parameter === undefined) throw new Error(`${name}: its parameter is not known`);
      found[parameter] = Number(text);
    }
  }
  return found;
}

/** Leaves of parameters by their path. */
function leaves(value: unknown, path: readonly string[] = []): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { [path.join('.')]: value };
  return Object.assign({}, ...Object.entries(value).map(([key, member]) => leaves(member, [...path, key])));
}

/** What a preset trains with: what it leaves out has the default that its description names. */
function parametersOf(kind: string, preset: string): Record<string, unknown> {
  const { properties } = z
    .object({ properties: z.record(z.string(), z.object({ default: z.unknown().optional() })) })
    .parse(parametersJsonSchema(kindByName(kind)));
  const described = Object.entries(properties).map(([name, property]) => [name, property.default] as const);
  return leaves({ ...Object.fromEntries(described), ...resolveConfiguration({ kind, preset }).parameters });
}

function isSmoothing([path]: readonly [string, unknown]): boolean {
  return path.startsWith('optimizer.smoothing.');
}

const cases = logs.map((log) => {
  const { kind, suffix } = MODELS[log.model]!;
  const base = `sevo/${kind}-${DATASETS[log.dataset]!}`;
  return { ...log, kind, base, suffix, expected: loggedParameters(log.hyper, kind) };
});

test.each(cases)('preset $base$suffix is what $model was trained with', ({ kind, base, suffix, expected }) => {
  expect(parametersOf(kind, base + suffix)).toMatchObject(expected);
});

test.each(cases.filter(({ suffix }) => suffix === '-sevo'))(
  'presets $base and its variations differ from the log in optimizer alone',
  ({ kind, base, expected }) => {
    const outside = Object.fromEntries(Object.entries(expected).filter(([path]) => !path.startsWith('optimizer.')));
    const names = kindByName(kind).presets.map(({ name }) => name);
    const family = names.filter((name) => name === base || name.startsWith(`${base}-`));
    expect(family).toEqual(expect.arrayContaining([base, `${base}-sevo`]));
    for (const name of family) expect(parametersOf(kind, name), name).toMatchObject(outside);
  },
);

test.each(cases.filter(({ suffix }) => suffix === '-sevo'))(
  'preset $base has the optimizer of the log, without smoothing',
  ({ kind, base, expected }) => {
    const plain = Object.fromEntries(Object.entries(expected).filter((entry) => !isSmoothing(entry)));
    const found = parametersOf(kind, base);
    expect(found).toMatchObject(plain);
    expect(Object.entries(found).filter(isSmoothing)).toEqual([]);
  },
);

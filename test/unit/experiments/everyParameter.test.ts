import { expect, test } from 'vitest';
import { z } from 'zod';
import { KINDS } from '#src/catalog/kinds.ts';
import { parametersJsonSchema } from '#src/catalog/resolveConfiguration.ts';
import { isPlainObject, type PlainObject } from '#src/base/lib/plainObject.ts';
import { loadSequenceDataset } from '#workers/data/load/loadSequenceDataset.ts';
import { experimentOf } from '#workers/experiments/registry.ts';
import { selectionOf } from '../data/dataFiles.ts';
import { lastBackend } from './lastBackend.ts';
import { recordingContext } from './recordingContext.ts';

const DATASET = await loadSequenceDataset(selectionOf('generated/drift-28x24'), { folders: [], cacheFolder: null });
const ITEMS = new Map(DATASET.itemIds.map((id, item) => [id, { title: id, genres: [`genre ${item % 3}`] }]));
const opened = lastBackend(1);

const TRAINED = KINDS.filter(({ parameters: { shape } }) => 'init' in shape && 'evaluateEvery' in shape);
/** One kind for each way of training: in these, what all share is tried, too. */
const SHARED = new Set(['sasrec', 'lightgcn', 'mf-bpr']);
const SHARED_PARAMETER = /^(?:optimizer|init|cutoffs|excludeSeen|seenItems|select|patience|checkpointEvery)\b/;

/** Small and short, of several steps; what only some kinds have, they get. */
const SMALL = { epochs: 1, evaluateEvery: 1, dimension: 4, batchSize: 32, heads: 2, channels: 4, maximumLength: 8 };

/** Fewer steps where each takes long. */
const OWN: Readonly<Record<string, PlainObject>> = {
  lessr: { samples: 'positions', layers: 2 },
  bsarec: { batchSize: 200, cutoff: 3, blocks: 1 },
  ...{ dgcf: { batchSize: 256 }, dlr2: { batchSize: 100 }, lightgcn: { batchSize: 100 } },
  ...{ ngcf: { batchSize: 256 }, simgcl: { batchSize: 256 } },
  maerec: {
    ...{ batchSize: 6, distance: 1, anchors: 2, maskDepth: 1, maskSteps: 2, graphLayers: 1, blocks: 1 },
    ...{ reconstructionEdges: 8, reconstructionNegatives: 2 },
  },
};

/** What else must be set for a parameter to matter; the first that matches holds. */
const BESIDE: readonly [RegExp, PlainObject][] = [
  [/^heads$/, { dimension: 8 }],
  [/^(?:evaluateEvery|checkpointEvery|slowReward|optimizer\.beta.)$/, { epochs: 2 }],
  [/^(?:batchSize|triples)$/, { optimizer: {} }],
  [/^dropout|Dropout$/, { optimizer: { learningRate: 0.1 } }],
  [/^sigma/, { parametrisation: 'ntk' }],
  [/^pathShare$/, { maskDepth: 2 }],
  [/^negatives$/, { loss: 'bce' }],
  [/^rectified$/, { epochs: 2, optimizer: { learningRate: 0.3 } }],
  [/^seenItems$/, { excludeSeen: true }],
  [/^(?:select|patience)$/, { epochs: 6, optimizer: { learningRate: 1 } }],
  [/^init\.deviation/, { init: { method: 'normal' } }],
  [/^init\.bpr/, { init: { method: 'bpr' } }],
  [/^init\.netmf/, { init: { method: 'netmf', neighbours: 5, netmf: { rank: 8 } } }],
  [/^init\.node2vec/, { init: { method: 'node2vec', node2vec: { walks: 1, walkLength: 8 } } }],
  [/^init\.graphBert/, { dimension: 8, init: { method: 'graph-bert', graphBert: { epochs: 2 } } }],
  [/^init\.(?!method)/, { init: { method: 'leporid', neighbours: 5 } }],
  [/^optimizer\.momentum/, { epochs: 3, optimizer: { method: 'sgd' } }],
  [/^optimizer\.decay/, { optimizer: { method: 'rmsprop' } }],
  [/\.graph\.(?:neighbours|similarity)/, { optimizer: { smoothing: { graph: { weights: { neighbours: 1 } } } } }],
  [/\.graph\.(?:end|weighting)/, { optimizer: { smoothing: { graph: { items: 3, pathLength: 2 } } } }],
  // it acts on rows without a gradient, so that few may have one
  [/momentCorrection$/, { batchSize: 4, layers: 1, optimizer: { smoothing: {} } }],
  [/^optimizer\.smoothing/, { optimizer: { smoothing: {} } }],
];

/** Values where the nearest other one would change nothing here, or is refused. */
const OTHER: Readonly<Record<string, unknown>> = {
  ...{
    heads: 4,
    dimension: 8,
    factors: 2,
    independenceNodes: 10,
    channels: 6,
    cutoffs: [3],
    patience: 1,
    checkpointEvery: 1,
    batchSize: 8,
  },
  ...{ maximumLength: 3, tower: [3], maximumNorm: 0.1 },
  'init.graphBert.heads': 4,
  ...{ 'optimizer.maximumGradientNorm': 1e-3, 'optimizer.weightDecay': 0.7, 'optimizer.epsilon': 0.1 },
  ...{ 'optimizer.smoothing.graph.items': 3, 'optimizer.smoothing.graph.neighbours': 3 },
};

/** What this cannot show, with the reason. */
const NOT_HERE: Readonly<Record<string, string>> = {
  requires: 'the queue reads it',
  'init.tolerance': 'on so small a graph the eigenvectors are exact',
  'init.maximumProducts': 'on so small a graph the eigenvectors are exact',
  'optimizer.smoothing.graph.weights.interactions': 'where it takes 0 alone it is kept for the hash of configurations',
};

const propertySchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  enum: z.array(z.unknown()).optional(),
  type: z.unknown().optional(),
  default: z.unknown().optional(),
});
type Property = z.infer<typeof propertySchema>;

function leaves(given: unknown, prefix = ''): [path: string, property: Property][] {
  const property = propertySchema.parse(given);
  if (property.properties === undefined) return [[prefix, property]];
  return Object.entries(property.properties).flatMap(([name, inner]) =>
    leaves(inner, prefix === '' ? name : `${prefix}.${name}`),
  );
}

function merged(a: PlainObject, b: PlainObject): PlainObject {
  const entries = Object.entries(b).map(([key, value]) => {
    const before = a[key];
    return [key, isPlainObject(value) ? merged(isPlainObject(before) ? before : {}, value) : value] as const;
  });
  return { ...a, ...Object.fromEntries(entries) };
}

const nested = (path: string, value: unknown): PlainObject =>
  path
    .split('.')
    .reduceRight<PlainObject>((inner, name, at, names) => ({ [name]: at === names.length - 1 ? value : inner }), {});

const valueAt = (object: unknown, path: string): unknown =>
  path.split('.').reduce((inner: unknown, name) => (isPlainObject(inner) ? inner[name] : undefined), object);

function otherValue(path: string, { enum: values, default: initial, type }: Property, base: PlainObject): unknown {
  if (path in OTHER) return OTHER[path];
  const now = valueAt(base, path) ?? initial;
  if (values !== undefined) return values.find((value) => value !== now);
  if (typeof now === 'boolean') return !now;
  if (Array.isArray(now)) return [...now.slice(0, -1), Number(now.at(-1)) + 2];
  if (typeof now !== 'number') return undefined;
  return type === 'integer' ? now + 1 : now === 0 ? 0.3 : now / 2;
}

/** Everything that a run leaves but times. */
async function outcome(kind: string, parameters: PlainObject): Promise<string> {
  const { recorded, context } = recordingContext<unknown>(DATASET, parameters, {
    openTensorBackend: () => opened('wasm'),
    items: async () => ITEMS,
  });
  await experimentOf(kind)(context);
  const metrics = recorded.metrics.filter(({ name }) => !/^(?:time|system)\//.test(name));
  const files = [...recorded.artifacts].map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  const notes = [...recorded.notes].filter(([name]) => !/seconds/i.test(name));
  return JSON.stringify([metrics, recorded.checkpoints.map(({ step }) => step), notes, files]);
}

test.each(TRAINED.map((kind) => [kind.kind, kind] as const))(
  '%s heeds every parameter that it lists',
  async (name, kind) => {
    const listed = new Set(Object.keys(kind.parameters.shape));
    const small = Object.fromEntries(
      Object.entries({ ...SMALL, ...OWN[name] }).filter(
        ([key]) => listed.has(key) && !(name === 'mf-bpr' && key === 'batchSize'),
      ),
    );
    const before = new Map<string, string>();
    const ignored: string[] = [];
    for (const [path, property] of leaves(parametersJsonSchema(kind))) {
      if (path in NOT_HERE || (SHARED_PARAMETER.test(path) && !SHARED.has(name))) continue;
      const beside = BESIDE.find(([pattern]) => pattern.test(path))?.[1] ?? {};
      const base = merged(small, Object.fromEntries(Object.entries(beside).filter(([key]) => listed.has(key))));
      const key = JSON.stringify(base);
      if (!before.has(key)) before.set(key, await outcome(name, base));
      const value = otherValue(path, property, base);
      const after = await outcome(name, merged(base, nested(path, value))).catch((error: unknown) => {
        ignored.push(`${path} ${JSON.stringify(value)} ${String(error)}`);
        return '';
      });
      if (after === before.get(key)) ignored.push(`${path}: ${JSON.stringify(value)}`);
    }
    expect(ignored).toEqual([]);
  },
);

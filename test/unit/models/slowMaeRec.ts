/** MAERec with whole matrices, in double precision and one number at a time. */
import type { EdgePairs, MaeRecShape } from '#workers/models/maeRec.ts';
import { attend, normalised, type PlainParameters, plus, product, rowOf, times, type Vector } from './slowNetworks.ts';

const scaled = (x: Vector, factor: number): Vector => x.map((value) => factor * value);
const zeros = (length: number): Vector => Array.from({ length }, () => 0);
const productOf = (matrix: readonly Vector[], rows: readonly Vector[]): Vector[] =>
  matrix.map((weights) => rows.reduce((sum, row, at) => plus(sum, scaled(row, weights[at]!)), zeros(rows[0]!.length)));

/** The embeddings, and each product with the graph, (items, d). */
export function slowLayers(p: PlainParameters, shape: MaeRecShape, graph: readonly Vector[]): Vector[][] {
  const layers = [graph.map((_, item) => rowOf(p.get('items')!, item, shape.dimension))];
  for (let layer = 0; layer < shape.graphLayers; layer++) layers.push(productOf(graph, layers.at(-1)!));
  return layers;
}

export const sumOfLayers = (layers: readonly Vector[][]): Vector[] =>
  layers[0]!.map((_, item) => layers.map((layer) => layer[item]!).reduce(plus));

/** (length, d) States after each item of one sequence. No dropout. */
export function slowMaeRecStates(
  p: PlainParameters,
  items: readonly number[],
  { table, shape }: { table: readonly Vector[]; shape: MaeRecShape },
): Vector[] {
  const { dimension: d, maximumLength, blocks, heads } = shape;
  const apply = (name: string, x: Vector): Vector => times(x, p.get(`${name}/weight`)!, p.get(`${name}/bias`)!);
  const norm = (name: string, x: Vector): Vector => normalised(x, p.get(`${name}/gain`)!, p.get(`${name}/bias`)!, 1e-5);
  let x = items.map((item, place) =>
    norm('embeddingNorm', plus(table[item]!, rowOf(p.get('positions')!, maximumLength - items.length + place, d))),
  );
  const parts = [x];
  for (let block = 0; block < blocks; block++) {
    const at = `block${block}`;
    const [q, k, v] = ['query', 'key', 'value'].map((name) => x.map((row) => apply(`${at}/${name}`, row)));
    x = x.map((input, place) => {
      const heard = attend({ q: q![place]!, k: k!.slice(0, place + 1), v: v!.slice(0, place + 1), heads });
      const y = norm(`${at}/attentionNorm`, plus(input, apply(`${at}/output`, heard)));
      return norm(`${at}/forwardNorm`, apply(`${at}/forward2`, apply(`${at}/forward1`, y).map(gelu)));
    });
    parts.push(x);
  }
  return items.map((_, place) => parts.map((part) => part[place]!).reduce(plus));
}

/** Mean of -ln of the shares of the first of each pairs. */
export function slowReconstruction(
  p: PlainParameters,
  layers: readonly Vector[][],
  { first, second, each }: EdgePairs,
) {
  const apply = (name: string, x: Vector): Vector => times(x, p.get(`${name}/weight`)!, p.get(`${name}/bias`)!);
  const positive = (x: Vector): Vector => x.map((value) => Math.max(0, value));
  const scores = Array.from(first, (u, pair) => {
    const v = second[pair]!;
    const x = layers.flatMap((a) => layers.flatMap((b) => a[u]!.map((value, c) => value * b[v]![c]!)));
    const [score] = apply('decoder3', positive(apply('decoder2', positive(apply('decoder1', x)))));
    return 1 / (1 + Math.exp(-score!));
  });
  let sum = 0;
  for (let from = 0; from < scores.length; from += each) {
    const group = scores.slice(from, from + each);
    sum += Math.log(group.reduce((total, score) => total + Math.exp(score), 0)) - group[0]!;
  }
  return (sum * each) / scores.length;
}

/** Mean over the items of the mean cosine with what walks of one to `steps` steps reach. */
export function slowRelatedness(rows: readonly Vector[], walks: readonly Vector[], steps: number): number {
  const unit = rows.map((row) => scaled(row, 1 / Math.hypot(...row)));
  let reached: readonly Vector[] = unit;
  let sum = 0;
  for (let step = 0; step < steps; step++) {
    reached = productOf(walks, reached);
    sum += unit.reduce((total, row, item) => total + product(row, reached[item]!), 0);
  }
  return sum / steps / rows.length;
}

export const gelu = (x: number): number => (x / 2) * (1 + erf(x / Math.SQRT2));

/** By its series; |x| is small here. */
function erf(x: number): number {
  let [term, sum] = [x, x];
  for (let n = 1; n < 60; n++) {
    term *= -(x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** Networks over the graph of users and items, edge by edge and in double precision. */
import type { TrainingPart } from '#workers/data/split/trainingPart.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { type PlainParameters, plus, product, rowOf, times, type Vector } from './slowNetworks.ts';

/** Neighbours of each node, users first. */
export function neighboursOf(training: TrainingPart): Set<number>[] {
  const { userCount, itemCount } = training.dataset;
  const near = Array.from({ length: userCount + itemCount }, () => new Set<number>());
  for (let user = 0; user < userCount; user++) {
    for (const item of trainingItems(training, user)) {
      near[user]!.add(userCount + item);
      near[userCount + item]!.add(user);
    }
  }
  return near;
}

/** D^-1/2 A D^-1/2 E. */
export function around(near: readonly Set<number>[], rows: readonly Vector[]): Vector[] {
  return near.map((others, node) => {
    const sum: Vector = rows[node]!.map(() => 0);
    for (const other of others) {
      const weight = 1 / Math.sqrt(others.size * near[other]!.size);
      for (const [c, value] of rows[other]!.entries()) sum[c]! += weight * value;
    }
    return sum;
  });
}

export const nodeRows = (p: PlainParameters, nodes: number): Vector[] =>
  Array.from({ length: nodes }, (_, node) => rowOf(p.get('nodes')!, node, p.get('nodes')!.length / nodes));

export const unit = (row: Vector): Vector => {
  const norm = Math.hypot(...row);
  return norm === 0 ? row : row.map((value) => value / norm);
};

/** Mean over triples (user, item, other), nodes all, of -ln σ(difference) and λ/2 times the squared norms of `kept`. */
export function slowTripleLoss(
  rows: readonly Vector[],
  triples: readonly (readonly [number, number, number])[],
  { regularization, kept = rows }: { regularization: number; kept?: readonly Vector[] },
): number {
  let loss = 0;
  for (const nodes of triples) {
    const [u, i, j] = nodes;
    loss += Math.log1p(Math.exp(product(rows[u]!, rows[j]!) - product(rows[u]!, rows[i]!)));
    for (const node of nodes) loss += (regularization / 2) * product(kept[node]!, kept[node]!);
  }
  return loss / triples.length;
}

/** NGCF's rows, Eqs. 7 and 9. */
export function slowNgcfRows(
  p: PlainParameters,
  near: readonly Set<number>[],
  { layers, handsOn }: { layers: number; handsOn: 'plain' | 'unit' },
): Vector[] {
  let last = nodeRows(p, near.length);
  const parts = last.map((row) => [...row]);
  for (let layer = 0; layer < layers; layer++) {
    const of = (part: string, x: Vector): Vector =>
      times(x, p.get(`layer${layer}/${part}/weight`)!, p.get(`layer${layer}/${part}/bias`)!);
    const heard = around(near, last);
    const next = last.map((own, node) => {
      const other = heard[node]!;
      const mixed = plus(
        of('sum', plus(own, other)),
        of(
          'product',
          own.map((value, c) => value * other[c]!),
        ),
      );
      return mixed.map((value) => (value > 0 ? value : value / 5));
    });
    for (const [node, row] of next.entries()) parts[node]!.push(...unit(row));
    last = handsOn === 'unit' ? next.map(unit) : next;
  }
  return parts;
}

/** The mean of E⁽⁰⁾ … E⁽ᴷ⁾, Eqs. 3, 4 and 8 of LightGCN. */
export function slowLightGcnRows(nodes: readonly Vector[], near: readonly Set<number>[], layers: number): Vector[] {
  let last: readonly Vector[] = nodes;
  let sum = nodes.map((row) => [...row]);
  for (let layer = 0; layer < layers; layer++) {
    last = around(near, last);
    sum = sum.map((row, node) => plus(row, last[node]!));
  }
  return sum.map((row) => row.map((value) => value / (layers + 1)));
}

/** Moves each row by `size` within its orthant; element i, row by row, has the uniform number `drawn(i)`. */
function moved(rows: readonly Vector[], size: number, drawn: (index: number) => number): Vector[] {
  return rows.map((row, node) => {
    const shift = row.map((_, c) => drawn(node * row.length + c));
    const norm = Math.hypot(...shift);
    return row.map((value, c) => value + (size * Math.sign(value) * shift[c]!) / norm);
  });
}

/** The layers of SimGCL after each product with the graph; `uniform` draws for a site, or null for no noise. */
export function slowSimGclLayers(
  nodes: readonly Vector[],
  near: readonly Set<number>[],
  {
    layers,
    noise,
    uniform,
  }: { layers: number; noise: number; uniform: ((layer: number) => (index: number) => number) | null },
): Vector[][] {
  const found: Vector[][] = [];
  let last: readonly Vector[] = nodes;
  for (let layer = 0; layer < layers; layer++) {
    const heard = around(near, last);
    const next = uniform === null ? heard : moved(heard, noise, uniform(layer));
    found.push(next);
    last = next;
  }
  return found;
}

export const meanOf = (layers: readonly Vector[][]): Vector[] =>
  layers[0]!.map((row, node) =>
    row.map((_, c) => layers.reduce((sum, rows) => sum + rows[node]![c]!, 0) / layers.length),
  );

/** InfoNCE over distinct nodes. */
export function slowInfoNce(
  first: readonly Vector[],
  second: readonly Vector[],
  { nodes, temperature }: { nodes: readonly number[]; temperature: number },
): number {
  const met = [...new Set(nodes)];
  const cosine = (a: number, b: number): number => product(unit(first[a]!), unit(second[b]!)) / temperature;
  const losses = met.map(
    (own) => Math.log(met.reduce((sum, other) => sum + Math.exp(cosine(own, other)), 0)) - cosine(own, own),
  );
  return losses.reduce((sum, loss) => sum + loss, 0) / met.length;
}

export interface SlowDgcf {
  factors: number;
  layers: number;
  iterations: number;
}

/** DGCF's rows (Eqs. 3 to 10), edge by edge in both directions. */
export function slowDgcfRows(nodes: readonly Vector[], near: readonly Set<number>[], of: SlowDgcf): Vector[] {
  const { factors, layers, iterations } = of;
  const width = nodes[0]!.length / factors;
  const block = (row: Vector, k: number): Vector => row.slice(k * width, (k + 1) * width);
  const edges = near.flatMap((others, head) => [...others].map((tail) => ({ head, tail })));
  let agreed = edges.map(() => Array.from({ length: factors }, () => 1));
  let last: readonly Vector[] = nodes;
  const parts = [nodes];
  for (let layer = 0; layer < layers; layer++) {
    let heard: Vector[] = [];
    for (let iteration = 0; iteration < iterations; iteration++) {
      const shares = agreed.map((row) => {
        const total = row.reduce((sum, value) => sum + Math.exp(value), 0);
        return row.map((value) => Math.exp(value) / total);
      });
      const degrees = near.map((_, node) =>
        Array.from({ length: factors }, (__, k) =>
          edges.reduce((sum, { head }, at) => sum + (head === node ? shares[at]![k]! : 0), 0),
        ),
      );
      heard = near.map(() => nodes[0]!.map(() => 0));
      for (const [at, { head, tail }] of edges.entries()) {
        for (const c of nodes[0]!.keys()) {
          const k = Math.floor(c / width);
          const weight = shares[at]![k]! / Math.sqrt(degrees[head]![k]! * degrees[tail]![k]!);
          heard[head]![c]! += weight * last[tail]![c]!;
        }
      }
      agreed = agreed.map((row, at) =>
        row.map((value, k) => {
          const { head, tail } = edges[at]!;
          return value + product(unit(block(heard[head]!, k)), unit(block(last[tail]!, k)).map(Math.tanh));
        }),
      );
    }
    last = heard;
    parts.push(heard);
  }
  return meanOf(parts.map((rows) => [...rows]));
}

/** Distance correlations of neighbouring blocks over these rows, as DGCF's authors add them up. */
export function slowDependence(rows: readonly Vector[], factors: number): number {
  const width = rows[0]!.length / factors;
  const n = rows.length;
  const centred = Array.from({ length: factors }, (_, k) => {
    const own = rows.map((row) => row.slice(k * width, (k + 1) * width));
    const distances = own.map((a) => own.map((b) => Math.sqrt(Math.hypot(...a.map((v, c) => v - b[c]!)) ** 2 + 1e-8)));
    const means = distances.map((row) => row.reduce((sum, value) => sum + value, 0) / n);
    const mean = means.reduce((sum, value) => sum + value, 0) / n;
    return distances.map((row, i) => row.map((value, j) => value - means[i]! - means[j]! + mean));
  });
  const covariance = (a: number, b: number): number =>
    Math.sqrt(Math.max(0, centred[a]!.reduce((sum, row, i) => sum + product(row, centred[b]![i]!), 0) / n ** 2) + 1e-8);
  let sum = 0;
  for (let k = 0; k + 1 < factors; k++) {
    sum += covariance(k, k + 1) / (Math.sqrt(covariance(k, k) * covariance(k + 1, k + 1)) + 1e-10);
  }
  return sum / (((factors + 1) * factors) / 2);
}

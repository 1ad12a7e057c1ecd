/** The padded computations of SASRec and GRU4Rec as their users write them, in double precision and one number at a time. */
import type { ElmanOptions, ElmanShape } from '#workers/models/elmanRecommender.ts';
import type { Gru4RecShape } from '#workers/models/gru4Rec.ts';
import { SASREC_EPSILON, type SasRecOptions, type SasRecShape } from '#workers/models/sasRec.ts';

export type PlainParameters = ReadonlyMap<string, Float64Array>;
export type Vector = number[];

export function times(x: Vector, matrix: Float64Array, bias: Float64Array | null): Vector {
  const columns = matrix.length / x.length;
  return Array.from({ length: columns }, (_, column) =>
    x.reduce((sum, value, row) => sum + value * matrix[row * columns + column]!, bias?.[column] ?? 0),
  );
}

export function rowOf(table: Float64Array, row: number, columns: number): Vector {
  return Array.from(table.subarray(row * columns, (row + 1) * columns));
}

export const plus = (a: Vector, b: Vector): Vector => a.map((value, index) => value + b[index]!);
export const product = (a: Vector, b: Vector): number => a.reduce((sum, value, index) => sum + value * b[index]!, 0);

export function normalised(x: Vector, gain: Float64Array, bias: Float64Array, epsilon = SASREC_EPSILON): Vector {
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
  return x.map((value, index) => ((value - mean) / Math.sqrt(variance + epsilon)) * gain[index]! + bias[index]!);
}

/**
 * (length, d) States after each item of one sequence, padded at the left to `maximumLength` with zero vectors, which each
 * block makes zero again, and which are keys like others where `pads` is `attended`. No dropout.
 */
export function slowSasRecStates(
  p: PlainParameters,
  items: readonly number[],
  { shape, options }: { shape: SasRecShape; options: Omit<SasRecOptions, 'dropout'> },
): Vector[] {
  const { dimension: d, maximumLength, blocks, heads } = shape;
  const pads = maximumLength - items.length;
  const norm = (name: string, x: Vector): Vector => normalised(x, p.get(`${name}/gain`)!, p.get(`${name}/bias`)!);
  const apply = (name: string, x: Vector): Vector => times(x, p.get(`${name}/weight`)!, p.get(`${name}/bias`)!);
  const zero = (): Vector => Array.from({ length: d }, () => 0);
  let x = Array.from({ length: maximumLength }, (_, place) => {
    if (place < pads) return zero();
    const embedded = rowOf(p.get('items')!, items[place - pads]!, d).map((value) => value * Math.sqrt(d));
    return plus(embedded, rowOf(p.get('positions')!, place, d));
  });
  for (let block = 0; block < blocks; block++) {
    const at = `block${block}`;
    const queries = x.map((row) => norm(`${at}/queryNorm`, row));
    const [q, k, v] = [
      queries.map((row) => apply(`${at}/query`, row)),
      x.map((row) => apply(`${at}/key`, row)),
      x.map((row) => apply(`${at}/value`, row)),
    ];
    const first = options.pads === 'attended' ? 0 : pads;
    x = x.map((input, place) => {
      if (place < pads) return zero();
      const attended = attend({ q: q[place]!, k: k.slice(first, place + 1), v: v.slice(first, place + 1), heads });
      const residual = options.residual === 'input' ? input : queries[place]!;
      const y = norm(`${at}/forwardNorm`, plus(apply(`${at}/output`, attended), residual));
      const inner = apply(`${at}/forward1`, y).map((value) => Math.max(0, value));
      return plus(y, apply(`${at}/forward2`, inner));
    });
  }
  return x.slice(pads).map((row) => norm('lastNorm', row));
}

export function attend({ q, k, v, heads }: { q: Vector; k: Vector[]; v: Vector[]; heads: number }): Vector {
  const width = q.length / heads;
  return Array.from({ length: heads }, (_, head) => {
    const part = (row: Vector): Vector => row.slice(head * width, (head + 1) * width);
    const weights = k.map((key) => Math.exp(product(part(q), part(key)) / Math.sqrt(width)));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return part(zeros(q.length)).map((_, column) =>
      v.reduce((sum, value, key) => sum + (weights[key]! / total) * part(value)[column]!, 0),
    );
  }).flat();
}

const zeros = (length: number): Vector => Array.from({ length }, () => 0);
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** (length, dimension) States after each item of one sequence. No dropout. */
export function slowGru4RecStates(p: PlainParameters, items: readonly number[], shape: Gru4RecShape): Vector[] {
  let x = items.map((item) => rowOf(p.get('items')!, item, shape.dimension));
  for (let layer = 0; layer < shape.layers; layer++) {
    const n = shape.hiddenSize;
    let state = zeros(n);
    x = x.map((input) => {
      const i = times(input, p.get(`gru${layer}/input`)!, null);
      const s = times(state, p.get(`gru${layer}/hidden`)!, null);
      state = state.map((before, c) => {
        const update = sigmoid(i[n + c]! + s[n + c]!);
        const next = Math.tanh(i[2 * n + c]! + sigmoid(i[c]! + s[c]!) * s[2 * n + c]!);
        return (1 - update) * next + update * before;
      });
      return state;
    });
  }
  return x.map((state) => times(state, p.get('dense/weight')!, p.get('dense/bias')!));
}

const ELMAN_ACTIVATIONS = { relu: (x: number) => Math.max(0, x), tanh: Math.tanh };

/** (length, n) States after each item, scaled so that products with the read-out are scores: OverRec, Eqs. 5 to 7 one by one. */
export function slowElmanStates(
  p: PlainParameters,
  items: readonly number[],
  { shape, options }: { shape: ElmanShape; options: ElmanOptions },
): Vector[] {
  const { width: n, layers } = shape;
  const { sigmas, activation, parametrisation } = options;
  if (activation === 'erf') throw new Error('the reference implementation has no erf');
  const phi = ELMAN_ACTIVATIONS[activation];
  const isNtk = parametrisation === 'ntk';
  const [w, u, v, b] = [
    isNtk ? sigmas.recurrent / Math.sqrt(n) : 1,
    isNtk ? sigmas.input / Math.sqrt(n) : 1,
    isNtk ? sigmas.readOut / Math.sqrt(n) : 1,
    isNtk ? sigmas.bias : 1,
  ];
  let x = items.map((item) => rowOf(p.get('items')!, item, n).map((value) => value * (isNtk ? sigmas.input : 1)));
  for (let layer = 0; layer < layers; layer++) {
    const input = p.get(`layer${layer}/input`);
    let before = zeros(n);
    x = x.map((row) => {
      const fromBelow = input === undefined ? row : times(row, input, null).map((value) => u * value);
      const fromBefore = times(before, p.get(`layer${layer}/hidden`)!, null);
      const bias = p.get(`layer${layer}/bias`)!;
      before = fromBelow.map((value, at) => phi(value + w * fromBefore[at]! + b * bias[at]!));
      return before;
    });
  }
  return x.map((row) => row.map((value) => value * v));
}

export interface SlowPosition {
  state: Vector;
  target: number;
  negatives: readonly number[];
}

/** Mean loss over the positions. */
export function slowLoss(
  table: Float64Array,
  positions: readonly SlowPosition[],
  loss: 'bce' | 'bpr' | 'softmax',
): number {
  let sum = 0;
  for (const { state, target, negatives } of positions) {
    const score = (item: number): number => product(state, rowOf(table, item, state.length));
    const mean = (of: (item: number) => number): number =>
      negatives.reduce((total, item) => total + of(item), 0) / negatives.length;
    if (loss === 'bce') sum += -Math.log(sigmoid(score(target))) - mean((item) => Math.log(1 - sigmoid(score(item))));
    if (loss === 'bpr') sum += mean((item) => -Math.log(sigmoid(score(target) - score(item))));
    if (loss !== 'softmax') continue;
    const all = Array.from({ length: table.length / state.length }, (_, item) => Math.exp(score(item)));
    sum += Math.log(all.reduce((total, value) => total + value, 0)) - score(target);
  }
  return sum / positions.length;
}

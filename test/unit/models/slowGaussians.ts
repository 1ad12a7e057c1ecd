/** The padded computations of BERT4Rec and STOSA as their users write them, in double precision and one number at a time. */
import { errorFunction } from '../math/errorFunction.ts';
import { MASKED } from '#workers/models/maskedItems.ts';
import { normalised, type PlainParameters, plus, product, rowOf, times, type Vector } from './slowNetworks.ts';

interface Shape {
  dimension: number;
  maximumLength: number;
  blocks: number;
  heads: number;
}

const gelu = (x: number): number => (x / 2) * (1 + errorFunction(x / Math.SQRT2));
const elu = (x: number): number => (x > 0 ? x : Math.expm1(x));
const apply = (p: PlainParameters, name: string, x: Vector): Vector =>
  times(x, p.get(`${name}/weight`)!, p.get(`${name}/bias`)!);
const norm = (p: PlainParameters, name: string, x: Vector, epsilon: number): Vector =>
  normalised(x, p.get(`${name}/gain`)!, p.get(`${name}/bias`)!, epsilon);

/** (maximumLength) Which weights the keys have by their scores; a pad's score is -∞. */
function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - most));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** (length, d) States of one sequence, padded at the left with keys that nobody sees. No dropout. */
export function slowBert4RecStates(p: PlainParameters, items: readonly number[], shape: Shape): Vector[] {
  const { dimension: d, maximumLength, blocks, heads } = shape;
  const pads = maximumLength - items.length;
  const width = d / heads;
  let x = Array.from({ length: maximumLength }, (_, place) => {
    const item = place < pads ? 0 : items[place - pads]!;
    const embedded = item === MASKED ? Array.from(p.get('mask')!) : rowOf(p.get('items')!, item, d);
    return norm(p, 'embeddingNorm', plus(embedded, rowOf(p.get('positions')!, place, d)), 1e-5);
  });
  for (let block = 0; block < blocks; block++) {
    const at = `block${block}`;
    const [q, k, v] = ['query', 'key', 'value'].map((name) => x.map((row) => apply(p, `${at}/${name}`, row)));
    x = x.map((input, place) => {
      const attended = Array.from({ length: heads }, (_, head) => {
        const part = (row: Vector): Vector => row.slice(head * width, (head + 1) * width);
        const scores = k!.map((key, j) =>
          j < pads ? Number.NEGATIVE_INFINITY : product(part(q![place]!), part(key)) / Math.sqrt(width),
        );
        const weights = softmax(scores);
        return Array.from({ length: width }, (__, c) =>
          product(
            weights,
            v!.map((value) => part(value)[c]!),
          ),
        );
      }).flat();
      const y = norm(p, `${at}/attentionNorm`, plus(input, apply(p, `${at}/output`, attended)), 1e-5);
      const inner = apply(p, `${at}/forward1`, y).map(gelu);
      return norm(p, `${at}/forwardNorm`, plus(y, apply(p, `${at}/forward2`, inner)), 1e-5);
    });
  }
  return x.slice(pads);
}

/** A Gaussian of independent coordinates. */
export interface SlowGaussian {
  mean: Vector;
  covariance: Vector;
}

/** W₂² of Gaussians with diagonal covariances. */
export function slowWasserstein(one: SlowGaussian, other: SlowGaussian): number {
  const means = one.mean.reduce((sum, value, c) => sum + (value - other.mean[c]!) ** 2, 0);
  return one.covariance.reduce(
    (sum, value, c) => sum + (Math.sqrt(value) - Math.sqrt(other.covariance[c]!)) ** 2,
    means,
  );
}

/** The Gaussian of an item. */
export function slowItem(p: PlainParameters, item: number, d: number): SlowGaussian {
  const covariance = rowOf(p.get('items/covariance')!, item, d).map((value) => elu(value) + 1);
  return { mean: rowOf(p.get('items/mean')!, item, d), covariance };
}

/**
 * (length) States of one sequence, padded at the left with keys that nobody sees. Where means are `embedded`, blocks take
 * those of the embeddings, and the states have them. No dropout.
 */
export function slowStosaStates(
  p: PlainParameters,
  items: readonly number[],
  shape: Shape & { means: 'encoded' | 'embedded' },
): SlowGaussian[] {
  const { dimension: d, maximumLength, blocks, heads, means } = shape;
  const pads = maximumLength - items.length;
  const width = d / heads;
  let x: SlowGaussian[] = Array.from({ length: maximumLength }, (_, place) => {
    const item = place < pads ? 0 : items[place - pads]!;
    const embedded = (half: string): Vector => {
      const placed = plus(rowOf(p.get(`items/${half}`)!, item, d), rowOf(p.get(`positions/${half}`)!, place, d));
      return norm(p, 'embeddingNorm', placed, 1e-12).map(elu);
    };
    return { mean: embedded('mean'), covariance: embedded('covariance').map((value) => value + 1) };
  });
  for (let block = 0; block < blocks; block++) {
    const at = `block${block}`;
    const project = (name: string): SlowGaussian[] =>
      x.map(({ mean, covariance }) => ({
        mean: means === 'embedded' && name === 'value' ? mean : apply(p, `${at}/mean/${name}`, mean),
        covariance: apply(p, `${at}/covariance/${name}`, covariance).map((value) => elu(value) + 1),
      }));
    const [q, k, v] = [project('query'), project('key'), project('value')];
    x = x.map((input, place) => {
      const heard = Array.from({ length: heads }, (_, head): SlowGaussian => {
        const cut = (row: Vector): Vector => row.slice(head * width, (head + 1) * width);
        const part = ({ mean, covariance }: SlowGaussian) => ({ mean: cut(mean), covariance: cut(covariance) });
        const scores = k.map((key, j) =>
          j < pads || j > Math.max(place, pads)
            ? Number.NEGATIVE_INFINITY
            : -slowWasserstein(part(q[place]!), part(key)) / Math.sqrt(width),
        );
        const weights = softmax(scores);
        const squares = weights.map((weight) => weight ** 2);
        const values = v.map(part);
        const sum = (by: number[], half: 'mean' | 'covariance'): Vector =>
          Array.from({ length: width }, (__, c) =>
            product(
              by,
              values.map((value) => value[half][c]!),
            ),
          );
        return { mean: sum(weights, 'mean'), covariance: sum(squares, 'covariance') };
      });
      const passed = (half: 'mean' | 'covariance'): Vector => {
        const output = apply(
          p,
          `${at}/${half}/output`,
          heard.flatMap((gaussian) => gaussian[half]),
        );
        const y = norm(p, `${at}/attentionNorm`, plus(output, input[half]), 1e-12);
        const inner = apply(p, `${at}/${half}/forward1`, y).map(elu);
        return norm(p, `${at}/${half}/forwardNorm`, plus(apply(p, `${at}/${half}/forward2`, inner), y), 1e-12);
      };
      const mean = means === 'embedded' ? input.mean : passed('mean');
      return { mean, covariance: passed('covariance').map((value) => elu(value) + 1) };
    });
  }
  return x.slice(pads);
}

/** DLR², NCF and HGN from their formulas, in double precision, one sample and one number at a time. */
import type { Dlr2Options, Dlr2Shape } from '#workers/models/dlr2.ts';
import type { HgnShape } from '#workers/models/hgn.ts';
import type { NcfShape } from '#workers/models/ncf.ts';
import { type PlainParameters, plus, product, rowOf, times, type Vector } from './slowNetworks.ts';

/** One sample: its items oldest first, -1 where there is none. */
export interface SlowMoment {
  user: number;
  recent: readonly number[];
  positives: readonly number[];
  /** For each positive. */
  negatives: readonly (readonly number[])[];
}

const relu = (x: Vector): Vector => x.map((value) => Math.max(0, value));
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const softplus = (x: number): number => Math.log1p(Math.exp(-Math.abs(x))) + Math.max(0, x);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function dense(p: PlainParameters, name: string, x: Vector): Vector {
  return times(x, p.get(`${name}/weight`)!, p.get(`${name}/bias`)!);
}

function itemRow(p: PlainParameters, table: string, item: number, d: number): Vector {
  return item < 0 ? Array.from({ length: d }, () => 0) : rowOf(p.get(table)!, item, d);
}

/** A picture: [height][width][channels]. */
type Picture = Vector[][];

/** The textbook convolution, zeros outside; `size` is 3 or 1, in both directions or in height alone. */
function convolution(p: PlainParameters, name: string, x: Picture, [size, stride]: [number, number]): Picture {
  const [height, width, channels] = [x.length, x[0]!.length, x[0]![0]!.length];
  const reach = (size - 1) / 2;
  const across = width === 1 ? 0 : reach;
  const nothing = Array.from({ length: channels }, () => 0);
  const result: Picture = [];
  for (let row = 0; row < height; row += stride) {
    const line: Vector[] = [];
    for (let column = 0; column < width; column += stride) {
      const seen: Vector = [];
      for (let y = row - reach; y <= row + reach; y++) {
        for (let z = column - across; z <= column + across; z++) seen.push(...(x[y]?.[z] ?? nothing));
      }
      line.push(dense(p, name, seen));
    }
    result.push(line);
  }
  return result;
}

const each = (x: Picture, f: (point: Vector) => Vector): Picture => x.map((line) => line.map(f));
const sum = (a: Picture, b: Picture): Picture => a.map((line, y) => line.map((point, z) => plus(point, b[y]![z]!)));

function slowFeatures(p: PlainParameters, shape: Dlr2Shape, rows: readonly Vector[]): Vector {
  const { architecture, layout, channels, dimension } = shape;
  const layer = (name: string, x: Picture, stride = 1): Picture =>
    each(convolution(p, `features/${name}`, x, [3, stride]), relu);
  if (architecture === 'no-conv') {
    let x = rows.flat();
    for (const at of [0, 1, 2, 3]) x = relu(dense(p, `features/dense${at}`, x));
    return dense(p, 'features/out', x);
  }
  let x: Picture = layout === 'sequence' ? rows.map((row) => [row]) : rows.map((row) => row.map((value) => [value]));
  if ((layout === 'sequence' ? dimension : 1) !== channels) x = each(x, (point) => dense(p, 'features/stem', point));
  let out: Picture;
  if (architecture === 'revnet') {
    const block = (name: string, from: Picture): Picture => {
      const half = from[0]![0]!.length / 2;
      const [x1, x2] = [each(from, (point) => point.slice(0, half)), each(from, (point) => point.slice(half))];
      const y1 = sum(x1, layer(`${name}/f2`, layer(`${name}/f1`, x2)));
      const y2 = sum(x2, layer(`${name}/g2`, layer(`${name}/g1`, y1)));
      return y1.map((line, y) => line.map((point, z) => [...point, ...y2[y]![z]!]));
    };
    out = block('block2', layer('between', block('block1', x), 2));
  } else {
    const isResidual = architecture === 'resnet';
    const first = layer('block1/2', layer('block1/1', x));
    const between = isResidual ? sum(first, x) : first;
    const second = layer('block2/2', layer('block2/1', between, 2));
    out = isResidual ? sum(second, convolution(p, 'features/block2/down', between, [1, 2])) : second;
  }
  return dense(p, 'features/out', out.flat(2));
}

/** Three layers, the last without a ReLU: a shape's `tower` has two. */
function slowTower(p: PlainParameters, name: string, x: Vector): Vector {
  return dense(
    p,
    `${name}/2`,
    [0, 1].reduce((y, layer) => relu(dense(p, `${name}/${layer}`, y)), x),
  );
}

function slowState(
  p: PlainParameters,
  shape: Dlr2Shape,
  { user, recent }: Pick<SlowMoment, 'user' | 'recent'>,
): Vector {
  const d = shape.dimension;
  return slowFeatures(p, shape, [
    rowOf(p.get('users')!, user, d),
    ...recent.map((item) => itemRow(p, 'items', item, d)),
  ]);
}

/** Eqs. 10 and 11. */
export function slowDlr2Loss(
  p: PlainParameters,
  moments: readonly SlowMoment[],
  { shape, options }: { shape: Dlr2Shape; options: Dlr2Options },
): number {
  const d = shape.dimension;
  const squares: { came: number[]; other: number[]; hinges: number[] } = { came: [], other: [], hinges: [] };
  for (const moment of moments) {
    const state = slowState(p, shape, moment);
    const wanted = slowTower(p, 'generative', state).map(Math.tanh);
    const distance = (item: number): number => {
      const [raw] = slowTower(p, 'discriminative', [...state, ...rowOf(p.get('items')!, item, d)]);
      return options.rectified ? Math.max(0, raw!) : raw!;
    };
    const far = (item: number): number => {
      const square = rowOf(p.get('items')!, item, d).reduce(
        (total, value, at) => total + (value - wanted[at]!) ** 2,
        0,
      );
      return options.distance === 'euclidean' ? Math.sqrt(square) : square / d;
    };
    const [came] = moment.positives as [number];
    squares.came.push(distance(came) ** 2);
    for (const other of moment.negatives[0]!) {
      squares.other.push(Math.max(0, options.discriminativeMargin - distance(other)) ** 2);
      squares.hinges.push(Math.max(0, far(came) - far(other) + options.generativeMargin));
    }
  }
  const discriminative = mean(squares.came) + mean(squares.other);
  if (options.losses === 'discriminative') return discriminative;
  return mean(squares.hinges) + (options.losses === 'both' ? discriminative : 0);
}

/** (items) The scores of all items: S before its ReLU, turned round; or minus the square of the distance from G(s). */
export function slowDlr2Scores(
  p: PlainParameters,
  moment: Pick<SlowMoment, 'user' | 'recent'>,
  { shape, options }: { shape: Dlr2Shape; options: Dlr2Options },
): number[] {
  const state = slowState(p, shape, moment);
  const wanted = slowTower(p, 'generative', state).map(Math.tanh);
  return Array.from({ length: shape.itemCount }, (_, item) => {
    const own = rowOf(p.get('items')!, item, shape.dimension);
    if (options.inference === 'discriminative') return -slowTower(p, 'discriminative', [...state, ...own])[0]!;
    return 2 * product(wanted, own) - product(own, own);
  });
}

function slowNcfLogit(p: PlainParameters, { dimension: d, layers }: NcfShape, user: number, item: number): number {
  const row = (table: string, at: number): Vector => rowOf(p.get(table)!, at, d);
  const products = row('product/users', user).map((value, at) => value * row('product/items', item)[at]!);
  let x = [...row('tower/users', user), ...row('tower/items', item)];
  for (const layer of layers.keys()) x = relu(dense(p, `layer${layer}`, x));
  return dense(p, 'score', [...products, ...x])[0]!;
}

export function slowNcfLoss(p: PlainParameters, shape: NcfShape, moments: readonly SlowMoment[]): number {
  return mean(
    moments.flatMap(({ user, positives, negatives }) => [
      softplus(-slowNcfLogit(p, shape, user, positives[0]!)),
      ...negatives[0]!.map((item) => softplus(slowNcfLogit(p, shape, user, item))),
    ]),
  );
}

export function slowNcfScores(p: PlainParameters, shape: NcfShape, user: number): number[] {
  return Array.from({ length: shape.itemCount }, (_, item) => slowNcfLogit(p, shape, user, item));
}

/** The scores of all items: HGN, Eqs. 2 to 6, with the mean weighted by the instance gate. */
export function slowHgnScores(
  p: PlainParameters,
  { dimension: d, itemCount }: HgnShape,
  { user, recent }: Pick<SlowMoment, 'user' | 'recent'>,
): number[] {
  const own = rowOf(p.get('users')!, user, d);
  const items = recent.map((item) => itemRow(p, 'items', item, d));
  const ofUser = plus(times(own, p.get('featureGate/user')!, null), Array.from(p.get('featureGate/bias')!));
  const gated = items.map((item) => {
    const gate = plus(times(item, p.get('featureGate/item')!, null), ofUser).map(sigmoid);
    return item.map((value, at) => value * gate[at]!);
  });
  const instanceOfUser = times(own, p.get('instanceGate/user')!, null);
  const weights = gated.map((item, at) =>
    sigmoid(product(item, Array.from(p.get('instanceGate/item')!)) + instanceOfUser[at]!),
  );
  const total = weights.reduce((all, weight) => all + weight, 0);
  let state = own;
  for (const [at, item] of gated.entries()) {
    state = plus(
      state,
      item.map((value) => (value * weights[at]!) / total),
    );
    state = plus(state, items[at]!);
  }
  return Array.from({ length: itemCount }, (_, item) => {
    return product(state, rowOf(p.get('matched/items')!, item, d)) + p.get('matched/bias')![item]!;
  });
}

export function slowHgnLoss(p: PlainParameters, shape: HgnShape, moments: readonly SlowMoment[]): number {
  return mean(
    moments.flatMap((moment) => {
      const scores = slowHgnScores(p, shape, moment);
      return moment.positives.flatMap((came, at) =>
        moment.negatives[at]!.map((other) => softplus(scores[other]! - scores[came]!)),
      );
    }),
  );
}

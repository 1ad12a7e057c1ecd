/**
 * Random forests for regression (L. Breiman, Random Forests, Machine Learning 45, 2001), each tree grown to its end on a
 * bootstrap sample, all dimensions tried at each node: the settings of Optuna's `FanovaImportanceEvaluator`.
 */

/** One dimension of the inputs: places in [0, 1], or categories by number. */
export type Dimension = { type: 'interval' } | { type: 'categories'; count: number };

export interface Sample {
  dimensions: readonly Dimension[];
  /** One column a dimension, each (trials): a place in [0, 1], or a category from 0. */
  columns: readonly Float64Array[];
  /** (trials) */
  targets: Float64Array;
}

/** The part of a dimension that a leaf covers. */
export type Side = { low: number; high: number } | { categories: Uint8Array };

export interface Leaf {
  value: number;
  /** One a dimension. */
  box: readonly Side[];
}

/** A tree as its leaves, whose boxes fill the space without overlap. */
export type Tree = readonly Leaf[];

/** Nodes whose targets differ by less than this share of the whole variance are leaves. */
const PURE = 1e-12;
/** Splits whose gains differ by less than this share count as equally good. */
const TIE = 1e-9;

/** Trees of a forest, one after the other and without end. `random` decides everything that is left to chance. */
export function* growForest(sample: Sample, random: () => number): Generator<Tree, never> {
  const orders = sample.columns.map((column) => Int32Array.from(column.keys()).sort((a, b) => column[a]! - column[b]!));
  for (;;) yield growTree(sample, orders, random);
}

interface Split {
  dimension: number;
  /** Marks the trials of the node that go to the left. */
  mark(goesLeft: Uint8Array): void;
  left: Side;
  right: Side;
  /** Weighted sum over both sides of squared sums by weights: the greater, the better. */
  score: number;
}

function growTree({ dimensions, columns, targets }: Sample, orders: readonly Int32Array[], random: () => number): Tree {
  const count = targets.length;
  const weights = new Float64Array(count);
  for (let draw = 0; draw < count; draw++) weights[Math.floor(random() * count)]! += 1;
  const rows = orders.map((order) => order.filter((trial) => weights[trial]! > 0));
  const wholeBox = dimensions.map(
    (dimension): Side =>
      dimension.type === 'interval' ? { low: 0, high: 1 } : { categories: new Uint8Array(dimension.count).fill(1) },
  );
  const scale = spreadOf(rows[0]!, weights, targets).squares;
  const leaves: Leaf[] = [];
  const goesLeft = new Uint8Array(count);
  const open: { rows: readonly Int32Array[]; box: readonly Side[] }[] = [{ rows, box: wholeBox }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const here = spreadOf(node.rows[0]!, weights, targets);
    const split =
      here.squares <= PURE * scale ? null : bestSplit({ ...node, dimensions, columns, targets, weights, here, random });
    if (split === null) {
      leaves.push({ value: here.sum / here.weight, box: node.box });
      continue;
    }
    split.mark(goesLeft);
    const parts = node.rows.map((order) => divided(order, goesLeft));
    open.push({ rows: parts.map(({ left }) => left), box: node.box.with(split.dimension, split.left) });
    open.push({ rows: parts.map(({ right }) => right), box: node.box.with(split.dimension, split.right) });
  }
  return leaves;
}

/** Those that go left and the others, each in their order. */
function divided(order: Int32Array, goesLeft: Uint8Array): { left: Int32Array; right: Int32Array } {
  let count = 0;
  for (const trial of order) count += goesLeft[trial]!;
  const [left, right] = [new Int32Array(count), new Int32Array(order.length - count)];
  let [toLeft, toRight] = [0, 0];
  for (const trial of order) {
    if (goesLeft[trial] === 1) left[toLeft++] = trial;
    else right[toRight++] = trial;
  }
  return { left, right };
}

interface Spread {
  weight: number;
  sum: number;
  /** Squared distances from the mean. */
  squares: number;
}

function spreadOf(rows: Int32Array, weights: Float64Array, targets: Float64Array): Spread {
  let [weight, sum, squares] = [0, 0, 0];
  for (const trial of rows) {
    weight += weights[trial]!;
    sum += weights[trial]! * targets[trial]!;
  }
  const mean = sum / weight;
  for (const trial of rows) squares += weights[trial]! * (targets[trial]! - mean) ** 2;
  return { weight, sum, squares };
}

interface Node extends Sample {
  /** Trials of the node, in the order of each dimension. */
  rows: readonly Int32Array[];
  box: readonly Side[];
  weights: Float64Array;
  here: Spread;
  random: () => number;
}

/** The best split over all dimensions, by lot among equals; null where no dimension tells the trials apart. */
function bestSplit(node: Node): Split | null {
  let best: Split | null = null;
  let equals = 0;
  const tie = TIE * node.here.squares;
  for (const [dimension, side] of node.box.entries()) {
    const split = 'low' in side ? intervalSplit(node, dimension, side) : categorySplit(node, dimension, side);
    if (split === null || (best !== null && split.score < best.score - tie)) continue;
    equals = best !== null && split.score <= best.score + tie ? equals + 1 : 1;
    if (equals === 1 || node.random() * equals < 1) best = split;
  }
  return best;
}

/** By centred sums, so that no digits are lost where targets are far from 0. */
function scoreOf(leftSum: number, leftWeight: number, { weight }: Spread): number {
  return (leftSum * leftSum) / leftWeight + (leftSum * leftSum) / (weight - leftWeight);
}

function intervalSplit(
  { rows, columns, targets, weights, here }: Node,
  dimension: number,
  side: { low: number; high: number },
): Split | null {
  const [order, column] = [rows[dimension]!, columns[dimension]!];
  const mean = here.sum / here.weight;
  let [leftSum, leftWeight] = [0, 0];
  let best: { threshold: number; score: number } | null = null;
  for (let at = 0; at + 1 < order.length; at++) {
    const trial = order[at]!;
    leftSum += weights[trial]! * (targets[trial]! - mean);
    leftWeight += weights[trial]!;
    const [place, next] = [column[trial]!, column[order[at + 1]!]!];
    if (next <= place) continue;
    const score = scoreOf(leftSum, leftWeight, here);
    // Between neighboring doubles there is no middle, and a threshold at `next` would part nothing.
    const middle = (place + next) / 2;
    if (best === null || score > best.score) best = { threshold: middle < next ? middle : place, score };
  }
  if (best === null) return null;
  const { threshold, score } = best;
  return {
    dimension,
    mark(goesLeft) {
      for (const trial of order) goesLeft[trial] = column[trial]! <= threshold ? 1 : 0;
    },
    left: { low: side.low, high: threshold },
    right: { low: threshold, high: side.high },
    score,
  };
}

/**
 * The best of all divisions into two groups: in the order of the categories' means it is one of their cuts (Breiman and
 * others, Classification and Regression Trees, 1984, Section 4.2). Categories that no trial here has go to either side by lot.
 */
function categorySplit(
  { rows, columns, targets, weights, here, random }: Node,
  dimension: number,
  side: { categories: Uint8Array },
): Split | null {
  const column = columns[dimension]!;
  const mean = here.sum / here.weight;
  const sums = new Float64Array(side.categories.length);
  const counts = new Float64Array(side.categories.length);
  for (const trial of rows[dimension]!) {
    sums[column[trial]!]! += weights[trial]! * (targets[trial]! - mean);
    counts[column[trial]!]! += weights[trial]!;
  }
  const present = [...counts.keys()].filter((category) => counts[category]! > 0);
  if (present.length < 2) return null;
  present.sort((a, b) => sums[a]! / counts[a]! - sums[b]! / counts[b]!);
  let [leftSum, leftWeight] = [0, 0];
  let best = { cut: 0, score: Number.NEGATIVE_INFINITY };
  for (const [at, category] of present.slice(0, -1).entries()) {
    leftSum += sums[category]!;
    leftWeight += counts[category]!;
    const score = scoreOf(leftSum, leftWeight, here);
    if (score > best.score) best = { cut: at, score };
  }
  const left = new Uint8Array(side.categories.length);
  for (const category of present.slice(0, best.cut + 1)) left[category] = 1;
  for (const [category, allowed] of side.categories.entries()) {
    if (allowed === 1 && counts[category] === 0) left[category] = random() < 0.5 ? 1 : 0;
  }
  const right = side.categories.map((allowed, category) => (allowed === 1 && left[category] === 0 ? 1 : 0));
  return {
    dimension,
    mark(goesLeft) {
      for (const trial of rows[dimension]!) goesLeft[trial] = left[column[trial]!]!;
    },
    left: { categories: left },
    right: { categories: right },
    score: best.score,
  };
}

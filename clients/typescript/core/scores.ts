/** Points of a curve at most. */
const MOST_POINTS = 1000;

export type ClassName = string | number;

export interface ClassScores {
  name: string;
  /** Of each example. */
  scores: number[];
  /** Whether each example is of the class. */
  found: boolean[];
}

export interface ScoreOptions {
  /** Names of the classes, where the truth has their numbers. */
  labels?: readonly ClassName[];
  /** These classes alone. */
  classesToPlot?: readonly ClassName[];
}

/** For each class its scores and its examples. @throws RangeError where truth and scores do not fit together */
export function classScores(
  call: string,
  { truth, scores }: { truth: ArrayLike<ClassName>; scores: ArrayLike<number | ArrayLike<number>> },
  { labels, classesToPlot }: ScoreOptions,
): ClassScores[] {
  const truths = Array.from(truth);
  const classes = sortedClasses(truths);
  const rows = Array.from(scores, (score) => (typeof score === 'number' ? [1 - score, score] : Array.from(score)));
  if (typeof scores[0] === 'number' && classes.length > 2) {
    throw new RangeError(`plot.${call}: ${classes.length} classes need a score of each class for every example`);
  }
  if (rows.length !== truths.length) {
    throw new RangeError(`plot.${call}: ${truths.length} examples are true, ${rows.length} have scores`);
  }
  const width = rows[0]?.length ?? 0;
  const isNumbered = classes.every((one) => isIndex(one) && one < width);
  if (!isNumbered && classes.length !== width) {
    throw new RangeError(
      `plot.${call}: ${width} scores for each example, ${classes.length} classes among the examples`,
    );
  }
  return classes.flatMap((one, place) => {
    if (classesToPlot !== undefined && !classesToPlot.includes(one)) return [];
    const column = isNumbered ? Number(one) : place;
    const name = String((isNumbered ? labels?.[column] : undefined) ?? one);
    return [
      { name, scores: rows.map((row) => row[column] ?? Number.NaN), found: truths.map((value) => value === one) },
    ];
  });
}

/** False and true positive rate at each threshold, greatest first; those on a straight line between others are left out. */
export function rocPoints({ scores, found }: ClassScores): [number, number][] {
  const counts: [number, number][] = [[0, 0]];
  for (const [taken, right] of takenAt(scores, found)) counts.push([taken - right, right]);
  const last = counts.length - 1;
  const [negatives, positives] = counts[last]!;
  const corners = counts.filter(([x, y], i) => {
    if (i === 0 || i === last) return true;
    const [before, after] = [counts[i - 1]!, counts[i + 1]!];
    return x - before[0] !== after[0] - x || y - before[1] !== after[1] - y;
  });
  const step = Math.ceil(corners.length / MOST_POINTS);
  const kept = corners.filter((_, i) => i % step === 0 || i === corners.length - 1);
  return kept.map(([x, y]) => [x / Math.max(1, negatives), y / Math.max(1, positives)]);
}

/** The best precision at each recall or a greater one. */
export function precisionsAtRecalls({ scores, found }: ClassScores, recalls: readonly number[]): number[] {
  const taken = takenAt(scores, found);
  const positives = Math.max(1, found.filter(Boolean).length);
  return recalls.map((recall) =>
    taken.reduce(
      (best, [count, right]) => (right / positives >= recall - 1e-12 ? Math.max(best, right / count) : best),
      0,
    ),
  );
}

export interface Predictions {
  yTrue: ArrayLike<ClassName>;
  /** The class that each example was taken for; or `probs`. */
  preds?: ArrayLike<ClassName>;
  /** The scores of all classes for each example: the greatest is the prediction. */
  probs?: ArrayLike<ArrayLike<number>>;
  classNames?: readonly ClassName[];
}

/** Rows of actual class, predicted class and count, of every pair of classes. */
export function confusion({ yTrue, preds, probs, classNames }: Predictions): [string, string, number][] {
  if ((preds === undefined) === (probs === undefined)) {
    throw new TypeError('plot.confusionMatrix: yTrue, and either preds or probs, are wanted');
  }
  const actual = Array.from(yTrue);
  const predicted = preds === undefined ? Array.from(probs ?? [], greatest) : Array.from(preds);
  if (actual.length !== predicted.length) {
    throw new RangeError(`plot.confusionMatrix: ${actual.length} examples are true, ${predicted.length} are predicted`);
  }
  const seen = sortedClasses([...actual, ...predicted]);
  const isNumbered = seen.every(isIndex);
  const count = isNumbered ? Math.max(-1, ...seen.map(Number)) + 1 : 0;
  const names = classNames ?? (isNumbered ? Array.from({ length: count }, (_, i) => `Class_${i + 1}`) : seen);
  const classes: readonly ClassName[] = isNumbered ? names.map((_, i) => i) : names;
  const unknown = seen.filter((one) => !classes.includes(one));
  if (unknown.length > 0) throw new RangeError(`plot.confusionMatrix: ${unknown.join(', ')} has no name in classNames`);
  const counts = new Map<string, number>();
  const keyOf = (a: ClassName | undefined, b: ClassName | undefined): string => JSON.stringify([a, b]);
  for (const [i, a] of actual.entries()) {
    const key = keyOf(a, predicted[i]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return classes.flatMap((a, i) =>
    classes.map((b, j): [string, string, number] => [
      ...([String(names[i]), String(names[j])] as const),
      counts.get(keyOf(a, b)) ?? 0,
    ]),
  );
}

/** At each distinct threshold, greatest first, how many examples are taken, and how many of them are right. */
function takenAt(scores: readonly number[], found: readonly boolean[]): [number, number][] {
  const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
  const taken: [number, number][] = [];
  let right = 0;
  for (const [place, i] of order.entries()) {
    if (found[i]) right += 1;
    const next = order[place + 1];
    if (next === undefined || scores[next] !== scores[i]) taken.push([place + 1, right]);
  }
  return taken;
}

function greatest(row: ArrayLike<number>): number {
  return Array.from(row).reduce((best, value, i) => (value > row[best]! ? i : best), 0);
}

function isIndex(value: ClassName): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function sortedClasses(values: readonly ClassName[]): ClassName[] {
  return [...new Set(values)].sort((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
  );
}

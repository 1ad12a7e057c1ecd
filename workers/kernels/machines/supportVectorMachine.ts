import { badInput } from '#src/base/contracts/errors.ts';
import { type BinaryOptions, type BinarySolution, solveBinary } from './binarySupportVectors.ts';
import type { KernelMatrix } from '../recurrent/kernelMatrix.ts';

/** One of the machines of a one-against-one model: class `positive` against class `negative`, which is the larger. */
export interface PairMachine {
  positive: number;
  negative: number;
  /** (examples of both classes) Their places among the training examples. */
  members: Uint32Array;
  solution: BinarySolution;
}

export interface SupportVectorMachine {
  classCount: number;
  /** Pairs (0, 1), (0, 2), …, (1, 2), …, of classes that have examples. */
  machines: readonly PairMachine[];
  /** The single class of the examples, where there is no second one. */
  onlyClass: number | null;
}

/** The pairs of classes with their examples and sub-matrices: what all costs share. */
export interface PairProblem {
  positive: number;
  negative: number;
  members: Uint32Array;
  gram: Float64Array;
  signs: Int8Array;
}

/**
 * The two-class problems of one-against-one.
 * @param gram (n, n) Kernel matrix over all examples.
 * @param labels (n) Classes from 0.
 * @param rows The examples that train, as places in `gram`.
 */
export function pairProblems(gram: KernelMatrix, labels: ArrayLike<number>, rows: Uint32Array): PairProblem[] {
  const byClass = new Map<number, number[]>();
  for (const row of rows) {
    const label = labels[row];
    const members = byClass.get(label);
    if (members === undefined) byClass.set(label, [row]);
    else members.push(row);
  }
  const classes = [...byClass].sort(([a], [b]) => a - b);
  const problems: PairProblem[] = [];
  for (const [place, [positive, ofPositive]] of classes.entries()) {
    for (const [negative, ofNegative] of classes.slice(place + 1)) {
      const members = Uint32Array.from([...ofPositive, ...ofNegative]);
      const signs = Int8Array.from(members, (_, i) => (i < ofPositive.length ? 1 : -1));
      problems.push({ positive, negative, members, signs, gram: squareOf(gram, members) });
    }
  }
  return problems;
}

function squareOf({ values, columns }: KernelMatrix, members: Uint32Array): Float64Array {
  const size = members.length;
  const square = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    const row = members[i] * columns;
    for (let j = 0; j < size; j++) square[i * size + j] = values[row + members[j]];
  }
  return square;
}

/**
 * Multi-class C-SVM on a precomputed kernel, one against one, as LIBSVM's `svm_train -s 0 -t 4`.
 * @param gram (n, n)
 * @param labels (n) Classes from 0.
 * @throws BAD_INPUT for matrices that are not square over the labels, or hold values that are not finite.
 */
export function trainSupportVectorMachine(
  gram: KernelMatrix,
  labels: ArrayLike<number>,
  options: BinaryOptions,
): SupportVectorMachine {
  const size = labels.length;
  if (gram.rows !== size || gram.columns !== size) {
    throw badInput(`kernel matrix of ${gram.rows} × ${gram.columns} for ${size} labels, expected ${size} × ${size}`);
  }
  const bad = gram.values.findIndex((value) => !Number.isFinite(value));
  if (bad !== -1) {
    throw badInput(`kernel matrix: ${gram.values[bad]} in row ${Math.floor(bad / size)}, column ${bad % size}`);
  }
  const rows = Uint32Array.from({ length: size }, (_, row) => row);
  const machines = pairProblems(gram, labels, rows).map((problem) => ({
    ...pairOf(problem),
    solution: solveBinary(problem, options),
  }));
  return machineOf(labels, rows, machines);
}

export function pairOf({ positive, negative, members }: PairProblem): Omit<PairMachine, 'solution'> {
  return { positive, negative, members };
}

/** Puts solved pairs together. */
export function machineOf(
  labels: ArrayLike<number>,
  rows: Uint32Array,
  machines: readonly PairMachine[],
): SupportVectorMachine {
  let classCount = 0;
  for (const row of rows) classCount = Math.max(classCount, labels[row] + 1);
  return { classCount, machines, onlyClass: machines.length === 0 ? labels[rows[0]] : null };
}

/** (machines) Decision values of one example, from its kernel values against all training examples. Positive: `positive`. */
export function decisionValues(
  { machines }: SupportVectorMachine,
  kernelRow: Float64Array,
  into: Float64Array = new Float64Array(machines.length),
): Float64Array {
  for (let m = 0; m < machines.length; m++) {
    const { members, solution } = machines[m];
    const { coefficients, offset } = solution;
    let sum = 0;
    for (let i = 0; i < members.length; i++) {
      if (coefficients[i] !== 0) sum += coefficients[i] * kernelRow[members[i]];
    }
    into[m] = sum - offset;
  }
  return into;
}

/** The class with most votes, ties to the smaller class; a decision value of 0 votes for the larger, as in LIBSVM. */
export function votedClass(model: SupportVectorMachine, decisions: Float64Array): number {
  if (model.onlyClass !== null) return model.onlyClass;
  const votes = new Uint32Array(model.classCount);
  for (let m = 0; m < model.machines.length; m++) {
    const { positive, negative } = model.machines[m];
    votes[decisions[m] > 0 ? positive : negative]++;
  }
  return votes.indexOf(Math.max(...votes));
}

/** (rows) Predicted classes. @param cross (rows, n) Kernel values of each example against all training examples. */
export function predictClasses(model: SupportVectorMachine, cross: KernelMatrix): Uint32Array {
  const decisions = new Float64Array(model.machines.length);
  return Uint32Array.from({ length: cross.rows }, (_, row) => {
    const values = cross.values.subarray(row * cross.columns, (row + 1) * cross.columns);
    return votedClass(model, decisionValues(model, values, decisions));
  });
}

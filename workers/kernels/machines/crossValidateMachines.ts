import { type BinarySolution, solveBinary } from './binarySupportVectors.ts';
import type { KernelMatrix } from '../recurrent/kernelMatrix.ts';
import {
  decisionValues,
  machineOf,
  type PairMachine,
  type PairProblem,
  pairOf,
  pairProblems,
  votedClass,
} from './supportVectorMachine.ts';

export interface CrossValidationOptions {
  /** Values of C, ascending. */
  costs: readonly number[];
  tolerance: number;
  maximumSteps?: number;
  /** Called before each fold; may throw to end. */
  pulse?: () => void;
}

export interface CrossValidation {
  /** (costs) Examples whose class is predicted right while their fold is held out. */
  correct: Uint32Array;
  /** Two-class problems that were given up. */
  givenUp: number;
}

/**
 * Cross-validates C-SVMs for several costs on one Gram matrix: folds are sets of rows of it, and each two-class problem goes
 * from the solution at one cost to the next.
 * @param gram (n, n)
 * @param labels (n) Classes from 0.
 * @param foldOf (n) The fold in which each example is held out, from 0.
 */
export function crossValidateMachines(
  gram: KernelMatrix,
  { labels, foldOf }: { labels: ArrayLike<number>; foldOf: Uint32Array },
  options: CrossValidationOptions,
): CrossValidation {
  const { costs, tolerance, maximumSteps, pulse } = options;
  const correct = new Uint32Array(costs.length);
  let givenUp = 0;
  const folds = Math.max(...foldOf) + 1;
  for (let fold = 0; fold < folds; fold++) {
    pulse?.();
    const rows = placesWhere(foldOf, (of) => of !== fold);
    const heldOut = placesWhere(foldOf, (of) => of === fold);
    const problems = pairProblems(gram, labels, rows);
    let solutions: (BinarySolution | null)[] = problems.map(() => null);
    let before: Uint32Array | null = null;
    for (let c = 0; c < costs.length; c++) {
      const limits = { cost: costs[c], tolerance, ...(maximumSteps === undefined ? {} : { maximumSteps }) };
      const next = problems.map((problem, p) => solveBinary(problem, limits, solutions[p]));
      givenUp += next.filter(({ converged }) => !converged).length;
      const isSame =
        before !== null && next.every((solution, p) => solution.coefficients === solutions[p]?.coefficients);
      if (!isSame) before = predictRows(gram, labels, { rows, heldOut, machines: machinesOf(problems, next) });
      solutions = next;
      for (let i = 0; i < heldOut.length; i++) if (before![i] === labels[heldOut[i]]) correct[c]++;
    }
  }
  return { correct, givenUp };
}

function placesWhere(foldOf: Uint32Array, isWanted: (fold: number) => boolean): Uint32Array {
  const places: number[] = [];
  for (let place = 0; place < foldOf.length; place++) if (isWanted(foldOf[place])) places.push(place);
  return Uint32Array.from(places);
}

function machinesOf(problems: readonly PairProblem[], solutions: readonly BinarySolution[]): PairMachine[] {
  return problems.map((problem, p) => ({ ...pairOf(problem), solution: solutions[p] }));
}

function predictRows(
  gram: KernelMatrix,
  labels: ArrayLike<number>,
  { rows, heldOut, machines }: { rows: Uint32Array; heldOut: Uint32Array; machines: readonly PairMachine[] },
): Uint32Array {
  const model = machineOf(labels, rows, machines);
  const decisions = new Float64Array(machines.length);
  return Uint32Array.from(heldOut, (row) => {
    const values = gram.values.subarray(row * gram.columns, (row + 1) * gram.columns);
    return votedClass(model, decisionValues(model, values, decisions));
  });
}

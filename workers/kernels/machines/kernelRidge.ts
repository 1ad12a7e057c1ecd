import { badInput } from '#src/base/contracts/errors.ts';
import { type SymmetricEigen, symmetricEigen } from '#workers/math/dense/symmetricEigen.ts';
import { definiteness, indefiniteMessage } from '../recurrent/definiteness.ts';
import type { KernelMatrix } from '../recurrent/kernelMatrix.ts';

/** A positive semidefinite Gram matrix taken apart, from which the solutions of all ridges follow. */
export interface KernelSpectrum extends SymmetricEigen {
  /** Eigenvalues up to this are 0 within rounding. */
  rounding: number;
}

/**
 * Eigendecomposition of a Gram matrix. Throws BAD_INPUT for one that is not square, not finite, or has an eigenvalue below 0
 * by more than rounding makes, with how far and what jitter would do.
 */
export function kernelSpectrum({ rows, columns, values }: KernelMatrix): KernelSpectrum {
  if (rows !== columns || rows < 1) throw badInput(`kernel matrix of ${rows} × ${columns}, expected a square one`);
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad !== -1)
    throw badInput(`kernel matrix: ${values[bad]} in row ${Math.floor(bad / rows)}, column ${bad % rows}`);
  const eigen = symmetricEigen(values, rows);
  const found = definiteness(eigen);
  if (found.smallest < -found.rounding) throw badInput(indefiniteMessage(found));
  return { ...eigen, rounding: found.rounding };
}

/**
 * (n) alpha = (K + ridge I)^-1 y: the predictor is f(x) = sum_i alpha_i k(x_i, x). With ridge 0 directions whose eigenvalue is
 * 0 within rounding are left out, which is the limit of small ridges. Throws BAD_INPUT for a ridge below 0.
 */
export function ridgeCoefficients(spectrum: KernelSpectrum, targets: ArrayLike<number>, ridge: number): Float64Array {
  return solveRidge(spectrum, projected(spectrum, targets), ridge);
}

/** (n) The targets in the basis of the eigenvectors: what all ridges share. */
export function projected({ values, vectors }: KernelSpectrum, targets: ArrayLike<number>): Float64Array {
  const n = values.length;
  if (targets.length !== n) throw badInput(`${targets.length} targets for a kernel of ${n} examples`);
  return values.map((_, k) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += vectors[k * n + i] * targets[i];
    return sum;
  });
}

/** `ridgeCoefficients` from targets already projected. */
export function solveRidge(spectrum: KernelSpectrum, parts: Float64Array, ridge: number): Float64Array {
  if (!(ridge >= 0) || !Number.isFinite(ridge)) throw badInput(`ridge is ${ridge}, expected at least 0`);
  const { values, vectors, rounding } = spectrum;
  const n = values.length;
  const coefficients = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    const denominator = Math.max(values[k], 0) + ridge;
    if (!(denominator > rounding)) continue;
    const weight = parts[k] / denominator;
    for (let i = 0; i < n; i++) coefficients[i] += weight * vectors[k * n + i];
  }
  return coefficients;
}

/** (rows) Predictions. @param cross (rows, n) */
export function ridgePredictions({ rows, columns, values }: KernelMatrix, coefficients: Float64Array): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let i = 0; i < columns; i++) sum += values[row * columns + i] * coefficients[i];
    return sum;
  });
}

/**
 * (ridges) Mean squared error of held-out examples in a cross-validation of kernel ridge regression on one Gram matrix: one
 * eigendecomposition a fold for all ridges.
 * @param gram (n, n)
 * @param foldOf (n) The fold in which each example is held out, from 0.
 */
export function crossValidateRidges(
  gram: KernelMatrix,
  { targets, foldOf }: { targets: ArrayLike<number>; foldOf: Uint32Array },
  ridges: readonly number[],
): Float64Array {
  const errors = new Float64Array(ridges.length);
  const places = Array.from(foldOf, (_, place) => place);
  const folds = Math.max(...foldOf) + 1;
  for (let fold = 0; fold < folds; fold++) {
    const rows = places.filter((place) => foldOf[place] !== fold);
    const held = places.filter((place) => foldOf[place] === fold);
    const spectrum = kernelSpectrum(partOf(gram, rows, rows));
    const cross = partOf(gram, held, rows);
    const parts = projected(
      spectrum,
      Float64Array.from(rows, (row) => targets[row]),
    );
    for (const [r, ridge] of ridges.entries()) {
      const predicted = ridgePredictions(cross, solveRidge(spectrum, parts, ridge));
      for (const [i, row] of held.entries()) errors[r] += (predicted[i] - targets[row]) ** 2;
    }
  }
  return errors.map((error) => error / foldOf.length);
}

function partOf(
  { values, columns: width }: KernelMatrix,
  rows: readonly number[],
  columns: readonly number[],
): KernelMatrix {
  const part = new Float64Array(rows.length * columns.length);
  for (let i = 0, at = 0; i < rows.length; i++) {
    for (let j = 0; j < columns.length; j++, at++) part[at] = values[rows[i] * width + columns[j]];
  }
  return { rows: rows.length, columns: columns.length, values: part };
}

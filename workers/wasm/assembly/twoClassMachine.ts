// Compiled form of workers/kernels/machines/binarySupportVectors.ts: sequential minimal optimisation with second-order working sets (LIBSVM), in signed
// coefficients. Nothing is shrunk: on the matrices of a cross-validation a pass of vectors costs less than the bookkeeping.
//
// A problem of `bytes` / 8 examples, an even number (a last one that fills up has both bounds 0 and so never moves), stands at
// `problem`: the vectors of validationFields.ts, then its matrix.
import { COEFFICIENTS, DIAGONAL, GRADIENT, LOWER, SIGNS, UPPER, VECTORS } from '../fields/validationFields';

/** Curvature that stands in for one that is not positive (LIBSVM's tau). */
const LEAST_CURVATURE: f64 = 1e-12;

/** Address of one of the vectors. */
@inline
export function vectorOf(problem: usize, bytes: usize, which: usize): usize {
  return problem + which * bytes;
}

/** Address of a row of the matrix. */
@inline
export function matrixRow(problem: usize, bytes: usize, row: usize): usize {
  return problem + (<usize>VECTORS + row) * bytes;
}

@inline
function number(vector: usize, place: i32): f64 {
  return load<f64>(vector + (<usize>place << 3));
}

/** Bounds for the cost, nothing learned yet. */
export function startProblem(problem: usize, bytes: usize): void {
  memory.fill(vectorOf(problem, bytes, COEFFICIENTS), 0, bytes);
  for (let k: usize = 0; k < bytes; k += 8) {
    store<f64>(vectorOf(problem, bytes, GRADIENT) + k, -load<f64>(vectorOf(problem, bytes, SIGNS) + k));
  }
}

/** Goes over to another cost, coefficients scaled with it: those at their bound stay there. `before` 0: from nothing. */
export function changeCost(problem: usize, bytes: usize, before: f64, cost: f64): void {
  const scale = before > 0 ? cost / before : 0;
  for (let k: usize = 0; k < bytes; k += 8) {
    const sign = load<f64>(vectorOf(problem, bytes, SIGNS) + k);
    store<f64>(vectorOf(problem, bytes, LOWER) + k, sign < 0 ? -cost : 0);
    store<f64>(vectorOf(problem, bytes, UPPER) + k, sign > 0 ? cost : 0);
    if (before === 0) continue;
    const coefficient = load<f64>(vectorOf(problem, bytes, COEFFICIENTS) + k);
    const isBound = Math.abs(coefficient) === before;
    store<f64>(vectorOf(problem, bytes, COEFFICIENTS) + k, isBound ? sign * cost : coefficient * scale);
    const slope = load<f64>(vectorOf(problem, bytes, GRADIENT) + k);
    store<f64>(vectorOf(problem, bytes, GRADIENT) + k, (slope + sign) * scale - sign);
  }
}

/** Solves to the tolerance; false when given up. */
export function solveProblem(problem: usize, bytes: usize, tolerance: f64, mostSteps: f64): bool {
  const coefficients = vectorOf(problem, bytes, COEFFICIENTS);
  const gradient = vectorOf(problem, bytes, GRADIENT);
  const lower = vectorOf(problem, bytes, LOWER);
  const upper = vectorOf(problem, bytes, UPPER);
  const diagonal = vectorOf(problem, bytes, DIAGONAL);
  let first = moveGradient(problem, bytes, 0, 0, 0);
  for (let steps: f64 = 0; steps < mostSteps; steps++) {
    if (first < 0) return true;
    const second = partnerOf(problem, bytes, first, tolerance);
    if (second < 0) return true;
    const shared = number(matrixRow(problem, bytes, first), second);
    const curvature = number(diagonal, first) + number(diagonal, second) - 2 * shared;
    const room = number(upper, first) - number(coefficients, first);
    const otherRoom = number(coefficients, second) - number(lower, second);
    const wanted =
      (number(gradient, second) - number(gradient, first)) / (curvature > 0 ? curvature : LEAST_CURVATURE);
    const step = min(min(wanted, room), otherRoom);
    const risen = step === room ? number(upper, first) : number(coefficients, first) + step;
    const fallen = step === otherRoom ? number(lower, second) : number(coefficients, second) - step;
    store<f64>(coefficients + (<usize>first << 3), risen);
    store<f64>(coefficients + (<usize>second << 3), fallen);
    first = moveGradient(problem, bytes, first, second, step);
  }
  return false;
}

/**
 * Adds `step` times the difference of two rows to the gradient. Returns the example that may grow and has the smallest
 * gradient, the first of equal ones; -1 where none may.
 */
function moveGradient(problem: usize, bytes: usize, row: i32, other: i32, step: f64): i32 {
  const rowAt = matrixRow(problem, bytes, row);
  const otherAt = matrixRow(problem, bytes, other);
  const coefficients = vectorOf(problem, bytes, COEFFICIENTS);
  const upper = vectorOf(problem, bytes, UPPER);
  const gradient = vectorOf(problem, bytes, GRADIENT);
  const by = f64x2.splat(step);
  const two = f64x2.splat(2);
  let least = f64x2.splat(Infinity);
  let places = f64x2.splat(-1);
  let here = f64x2.replace_lane(f64x2.splat(0), 1, 1);
  for (let k: usize = 0; k < bytes; k += 16) {
    const change = f64x2.mul(by, f64x2.sub(v128.load(rowAt + k), v128.load(otherAt + k)));
    const moved = f64x2.add(v128.load(gradient + k), change);
    v128.store(gradient + k, moved);
    const mayGrow = f64x2.lt(v128.load(coefficients + k), v128.load(upper + k));
    const isBetter = v128.and(mayGrow, f64x2.lt(moved, least));
    least = v128.bitselect(moved, least, isBetter);
    places = v128.bitselect(here, places, isBetter);
    here = f64x2.add(here, two);
  }
  return winner(f64x2.neg(least), places);
}

/** The example that may fall and gains most together with `first`; -1 when the pair violates no more than the tolerance. */
function partnerOf(problem: usize, bytes: usize, first: i32, tolerance: f64): i32 {
  const row = matrixRow(problem, bytes, first);
  const coefficients = vectorOf(problem, bytes, COEFFICIENTS);
  const lower = vectorOf(problem, bytes, LOWER);
  const gradient = vectorOf(problem, bytes, GRADIENT);
  const diagonal = vectorOf(problem, bytes, DIAGONAL);
  const own = f64x2.splat(number(gradient, first));
  const ownDiagonal = f64x2.splat(number(diagonal, first));
  const floor = f64x2.splat(LEAST_CURVATURE);
  const two = f64x2.splat(2);
  const zero = f64x2.splat(0);
  const nothing = f64x2.splat(-Infinity);
  let most = nothing;
  let mostGain = zero;
  let places = f64x2.splat(-1);
  let here = f64x2.replace_lane(zero, 1, 1);
  for (let k: usize = 0; k < bytes; k += 16) {
    const mayFall = f64x2.gt(v128.load(coefficients + k), v128.load(lower + k));
    const slope = v128.bitselect(f64x2.sub(v128.load(gradient + k), own), nothing, mayFall);
    most = f64x2.pmax(most, slope);
    const shared = f64x2.mul(two, v128.load(row + k));
    const curvature = f64x2.sub(f64x2.add(ownDiagonal, v128.load(diagonal + k)), shared);
    const divisor = v128.bitselect(curvature, floor, f64x2.gt(curvature, zero));
    const gain = f64x2.div(f64x2.mul(slope, slope), divisor);
    const isBetter = v128.and(f64x2.gt(slope, zero), f64x2.gt(gain, mostGain));
    mostGain = v128.bitselect(gain, mostGain, isBetter);
    places = v128.bitselect(here, places, isBetter);
    here = f64x2.add(here, two);
  }
  if (max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1)) < tolerance) return -1;
  return winner(mostGain, places);
}

/** The place of the lane with the larger value; of equal ones the smaller place; -1 where neither lane has one. */
@inline
function winner(values: v128, places: v128): i32 {
  const a = f64x2.extract_lane(values, 0);
  const b = f64x2.extract_lane(values, 1);
  const placeA = <i32>f64x2.extract_lane(places, 0);
  const placeB = <i32>f64x2.extract_lane(places, 1);
  if (placeA < 0) return placeB;
  if (placeB < 0 || a > b) return placeA;
  return b > a || placeB < placeA ? placeB : placeA;
}

/** Whether no coefficient is at its bound: a larger cost changes nothing. */
export function isUnbounded(problem: usize, bytes: usize, cost: f64): bool {
  const coefficients = vectorOf(problem, bytes, COEFFICIENTS);
  for (let k: usize = 0; k < bytes; k += 8) if (Math.abs(load<f64>(coefficients + k)) >= cost) return false;
  return true;
}

/** The threshold of the decision values: the mean gradient of the free examples, else the middle between the bound ones. */
export function offsetOf(problem: usize, bytes: usize): f64 {
  let free: f64 = 0;
  let sum: f64 = 0;
  let least: f64 = Infinity;
  let most: f64 = -Infinity;
  for (let k: usize = 0; k < bytes; k += 8) {
    const lower = load<f64>(vectorOf(problem, bytes, LOWER) + k);
    const upper = load<f64>(vectorOf(problem, bytes, UPPER) + k);
    if (lower === upper) continue;
    const coefficient = load<f64>(vectorOf(problem, bytes, COEFFICIENTS) + k);
    const slope = load<f64>(vectorOf(problem, bytes, GRADIENT) + k);
    if (coefficient === lower) least = min(least, slope);
    else if (coefficient === upper) most = max(most, slope);
    else {
      free++;
      sum += slope;
    }
  }
  return free > 0 ? sum / free : (least + most) / 2;
}

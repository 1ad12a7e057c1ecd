// Compiled form of workers/kernels/machines/crossValidateMachines.ts: every two-class problem of every fold and assignment, over all costs. Lanes take
// problems from a shared counter; each writes votes that no other writes, so that nothing depends on the lanes.
import { CLASSES, CLASS_STARTS, COEFFICIENTS, COSTS, COST_COUNT, ASSIGNMENTS, DIAGONAL, EXAMPLES, FOLDS, FOLD_OF, GIVEN_UP, GRAM, LIMITS, NEXT_PROBLEM, SCRATCH, SCRATCH_BYTES, SCRATCH_LANES, SIGNS, VECTORS, VOTES, VOTE_LARGER, VOTE_NONE, VOTE_SMALLER } from '../fields/validationFields';
import { field } from './memory';
import { changeCost, isUnbounded, matrixRow, offsetOf, solveProblem, startProblem, vectorOf } from './twoClassMachine';

/** Takes problems until there are none left. */
export function crossValidate(lane: i32, lanes: i32, job: usize): void {
  if (<u32>lane >= field(job, SCRATCH_LANES)) return;
  const pairs = pairCount(job);
  const problems = field(job, ASSIGNMENTS) * field(job, FOLDS) * pairs;
  const scratch = <usize>field(job, SCRATCH) + <usize>lane * field(job, SCRATCH_BYTES);
  while (true) {
    const problem = atomic.add<u32>(job + (NEXT_PROBLEM << 2), 1);
    if (problem >= problems) return;
    validatePair(job, problem % pairs, problem / pairs, scratch);
  }
}

@inline
function pairCount(job: usize): u32 {
  return (field(job, CLASSES) * (field(job, CLASSES) - 1)) >> 1;
}

@inline
function classStart(job: usize, which: u32): u32 {
  return load<u32>(<usize>field(job, CLASS_STARTS) + (<usize>which << 2));
}

@inline
function memberAt(members: usize, place: u32): usize {
  return <usize>load<u32>(members + (<usize>place << 2));
}

/** One pair of classes in one fold: pairs count (0, 1), (0, 2), ..., (1, 2), ...; `split` is the assignment, then the fold. */
function validatePair(job: usize, pair: u32, split: u32, scratch: usize): void {
  const classes = field(job, CLASSES);
  let smaller: u32 = 0;
  let further = pair;
  while (further >= classes - 1 - smaller) {
    further -= classes - 1 - smaller;
    smaller++;
  }
  const larger = smaller + 1 + further;
  const examples: usize = field(job, EXAMPLES);
  const assignment = split / field(job, FOLDS);
  const fold = split % field(job, FOLDS);
  const foldOf = <usize>field(job, FOLD_OF) + <usize>assignment * examples;
  const costs = field(job, COST_COUNT);
  const votes = <usize>field(job, VOTES) + <usize>(assignment * pairCount(job) + pair) * costs * examples;

  const members = scratch;
  const ofSmaller = takeMembers(job, smaller, foldOf, fold, members);
  const size = ofSmaller + takeMembers(job, larger, foldOf, fold, members + (<usize>ofSmaller << 2));
  if (ofSmaller === 0 || ofSmaller === size) {
    for (let c: u32 = 0; c < costs; c++) abstain(foldOf, fold, examples, votes + <usize>c * examples);
    return;
  }
  const problem = scratch + ((examples * 4 + 15) & ~15);
  const bytes = <usize>(size + (size & 1)) << 3;
  gatherProblem(job, problem, bytes, members, size, ofSmaller);
  let before: f64 = 0;
  let isFinal = false;
  for (let c: u32 = 0; c < costs; c++) {
    const cost = load<f64>(<usize>field(job, COSTS) + (<usize>c << 3));
    if (!isFinal) {
      const limits = <usize>field(job, LIMITS);
      changeCost(problem, bytes, before, cost);
      const converged = solveProblem(problem, bytes, load<f64>(limits), load<f64>(limits, 8));
      if (!converged) atomic.add<u32>(job + (GIVEN_UP << 2), 1);
      isFinal = converged && isUnbounded(problem, bytes, cost);
      before = cost;
    }
    vote(job, problem, bytes, members, size, foldOf, fold, votes + <usize>c * examples);
  }
}

/** Writes the examples of a class that train, ascending; returns how many there are. */
function takeMembers(job: usize, which: u32, foldOf: usize, fold: u32, members: usize): u32 {
  let count: u32 = 0;
  for (let example = classStart(job, which); example < classStart(job, which + 1); example++) {
    if (load<u8>(foldOf + example) === fold) continue;
    store<u32>(members + (<usize>count << 2), example);
    count++;
  }
  return count;
}

/** Signs and matrix of the members, filled up to an even number with zeros. */
function gatherProblem(job: usize, problem: usize, bytes: usize, members: usize, size: u32, positive: u32): void {
  const gram = <usize>field(job, GRAM);
  const rowBytes = <usize>field(job, EXAMPLES) << 3;
  memory.fill(problem, 0, <usize>VECTORS * bytes);
  if (size & 1) memory.fill(matrixRow(problem, bytes, size), 0, bytes);
  for (let i: u32 = 0; i < size; i++) {
    const from = gram + memberAt(members, i) * rowBytes;
    const to = matrixRow(problem, bytes, i);
    if (size & 1) store<f64>(to + (<usize>size << 3), 0);
    for (let j: u32 = 0; j < size; j++) {
      store<f64>(to + (<usize>j << 3), load<f64>(from + (memberAt(members, j) << 3)));
    }
    const at = <usize>i << 3;
    store<f64>(vectorOf(problem, bytes, DIAGONAL) + at, load<f64>(to + at));
    store<f64>(vectorOf(problem, bytes, SIGNS) + at, i < positive ? 1 : -1);
  }
  startProblem(problem, bytes);
}

function abstain(foldOf: usize, fold: u32, examples: usize, votes: usize): void {
  for (let row: usize = 0; row < examples; row++) if (load<u8>(foldOf + row) === fold) store<u8>(votes + row, VOTE_NONE);
}

/** The machine's vote on each example held out; a decision value of 0 votes for the larger class, as in LIBSVM. */
function vote(job: usize, problem: usize, bytes: usize, members: usize, size: u32, foldOf: usize, fold: u32, votes: usize): void {
  const examples = field(job, EXAMPLES);
  const offset = offsetOf(problem, bytes);
  const coefficients = vectorOf(problem, bytes, COEFFICIENTS);
  for (let row: u32 = 0; row < examples; row++) {
    if (load<u8>(foldOf + row) !== fold) continue;
    const kernel = <usize>field(job, GRAM) + <usize>row * ((<usize>examples) << 3);
    let decision: f64 = 0;
    for (let i: u32 = 0; i < size; i++) {
      const coefficient = load<f64>(coefficients + (<usize>i << 3));
      if (coefficient !== 0) decision += coefficient * load<f64>(kernel + (memberAt(members, i) << 3));
    }
    store<u8>(votes + row, decision - offset > 0 ? VOTE_SMALLER : VOTE_LARGER);
  }
}

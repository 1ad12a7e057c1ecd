import * as fields from '#workers/wasm/fields/validationFields.ts';
import { crossValidateMachines } from './crossValidateMachines.ts';
import type { NumericScope, NumericThreads, Placed } from '#workers/wasm/threads/numericThreads.ts';
import type { KernelMatrix } from '../recurrent/kernelMatrix.ts';

export interface ValidationPlan {
  /** (n) Classes from 0. */
  labels: ArrayLike<number>;
  /** For each assignment of the folds (n) the fold in which each example is held out, from 0, as many folds in each. */
  assignments: readonly Uint32Array[];
  /** Values of C, ascending. */
  costs: readonly number[];
  tolerance: number;
  /** Steps after which a two-class problem is given up. */
  maximumSteps: number;
  /** Called between matrices and, without an engine, between folds; may throw to end. */
  pulse(): void;
}

/** What cross-validation found for one kernel matrix. */
export interface ValidationCounts {
  /** (assignments) of (costs): examples whose class is predicted right while their fold is held out. */
  correct: Uint32Array[];
  /** Two-class problems that were given up. */
  givenUp: number;
}

/** Cross-validates kernel matrices over the same examples, folds and costs, one after another. Whoever makes it releases it. */
export interface GramCrossValidator {
  /** @param gram (n, n) Finite. */
  validate(gram: KernelMatrix): ValidationCounts;
  release(): void;
}

/**
 * A cross-validator that solves all two-class problems of all assignments on the engine's threads; without an engine the plain
 * reference implementation does. The same solutions within the tolerance.
 */
export function gramCrossValidator(engine: NumericThreads | null, plan: ValidationPlan): GramCrossValidator {
  return engine === null ? plainValidator(plan) : new CompiledValidator(engine, plan);
}

function plainValidator({ labels, assignments, ...options }: ValidationPlan): GramCrossValidator {
  return {
    validate(gram) {
      const found = assignments.map((foldOf) => crossValidateMachines(gram, { labels, foldOf }, options));
      return {
        correct: found.map(({ correct }) => correct),
        givenUp: found.reduce((sum, { givenUp }) => sum + givenUp, 0),
      };
    },
    release() {},
  };
}

/** Bytes of the heap that the lanes' scratch leaves free: tiles of series and results of the matrices to come. */
const BYTES_LEFT_TO_KERNELS = 640 * 2 ** 20;

class CompiledValidator implements GramCrossValidator {
  readonly #engine: NumericThreads;
  readonly #plan: ValidationPlan;
  readonly #scope: NumericScope;
  /** (n) Which example stands where: sorted by class. */
  readonly #order: Uint32Array;
  readonly #classes: number;
  readonly #gram: Float64Array;
  readonly #votes: { address: number; bytes: number };
  readonly #job: Placed<Uint32Array>;

  constructor(engine: NumericThreads, plan: ValidationPlan) {
    const { labels, assignments, costs } = plan;
    const count = labels.length;
    this.#engine = engine;
    this.#plan = plan;
    this.#scope = engine.scope();
    this.#order = Uint32Array.from({ length: count }, (_, example) => example).sort(
      (a, b) => labels[a] - labels[b] || a - b,
    );
    this.#classes = labels[this.#order[count - 1]] + 1;
    const pairs = (this.#classes * (this.#classes - 1)) / 2;
    const gram = this.#scope.placeDoubles(count * count);
    this.#gram = gram.values;
    const voteBytes = assignments.length * pairs * costs.length * count;
    this.#votes = { address: this.#scope.reserve(voteBytes), bytes: voteBytes };
    this.#job = this.#placeJob(gram.address);
  }

  #placeJob(gram: number): Placed<Uint32Array> {
    const { labels, assignments, costs, tolerance, maximumSteps } = this.#plan;
    const scope = this.#scope;
    const count = labels.length;
    const starts = scope.placeWords(this.#classes + 1);
    starts.values.fill(0);
    for (let example = 0; example < count; example++) starts.values[labels[example] + 1]++;
    const sizes = starts.values.slice(1).sort((a, b) => b - a);
    for (let which = 0; which < this.#classes; which++) starts.values[which + 1] += starts.values[which];
    const folds = scope.reserve(assignments.length * count);
    const foldOf = new Uint8Array(this.#engine.heap.memory.buffer, folds, assignments.length * count);
    for (const [d, assignment] of assignments.entries()) {
      for (let place = 0; place < count; place++) foldOf[d * count + place] = assignment[this.#order[place]];
    }
    // members, then vectors and matrix of the two largest classes
    const greatest = 2 * Math.ceil((sizes[0] + (sizes[1] ?? 0)) / 2);
    const scratchBytes = 64 * Math.ceil((count * 4 + 16 + (fields.VECTORS + greatest) * greatest * 8) / 64);
    const { heap, kernels } = this.#engine;
    const room = heap.limitBytes - heap.bytesInUse - BYTES_LEFT_TO_KERNELS;
    const lanes = Math.max(1, Math.min(kernels.lanes, Math.floor(room / scratchBytes)));
    return scope.placeFields(fields.JOB_WORDS, [
      [fields.GRAM, gram],
      [fields.EXAMPLES, count],
      [fields.CLASSES, this.#classes],
      [fields.CLASS_STARTS, starts.address],
      [fields.FOLD_OF, folds],
      [fields.ASSIGNMENTS, assignments.length],
      [fields.FOLDS, Math.max(...assignments.map((assignment) => Math.max(...assignment))) + 1],
      [fields.COSTS, scope.place(Float64Array.from(costs))],
      [fields.COST_COUNT, costs.length],
      [fields.LIMITS, scope.place(Float64Array.of(tolerance, maximumSteps))],
      [fields.VOTES, this.#votes.address],
      [fields.SCRATCH, scope.reserve(scratchBytes * lanes)],
      [fields.SCRATCH_BYTES, scratchBytes],
      [fields.SCRATCH_LANES, lanes],
    ]);
  }

  validate({ values, columns }: KernelMatrix): ValidationCounts {
    const { assignments, pulse } = this.#plan;
    pulse();
    const order = this.#order;
    for (let i = 0, at = 0; i < order.length; i++) {
      const row = order[i] * columns;
      for (let j = 0; j < order.length; j++, at++) this.#gram[at] = values[row + order[j]];
    }
    this.#job.values[fields.NEXT_PROBLEM] = 0;
    this.#job.values[fields.GIVEN_UP] = 0;
    this.#engine.kernels.run('crossValidate', this.#job.address);
    return {
      correct: assignments.map((_, assignment) => this.#countCorrect(assignment)),
      givenUp: this.#job.values[fields.GIVEN_UP],
    };
  }

  /** (costs) Votes of all pairs on each example, ties to the smaller class, as `votedClass`. */
  #countCorrect(assignment: number): Uint32Array {
    const { labels, assignments, costs } = this.#plan;
    const { address, bytes } = this.#votes;
    const order = this.#order;
    const count = order.length;
    const classes = this.#classes;
    const all = new Uint8Array(this.#engine.heap.memory.buffer, address, bytes);
    const tallies = new Uint16Array(count * classes);
    return Uint32Array.from(costs, (_, c) => {
      tallies.fill(0);
      let pair = assignment * ((classes * (classes - 1)) / 2);
      for (let smaller = 0; smaller < classes; smaller++) {
        for (let larger = smaller + 1; larger < classes; larger++, pair++) {
          const votes = (pair * costs.length + c) * count;
          for (let place = 0; place < count; place++) {
            const vote = all[votes + place];
            if (vote !== fields.VOTE_NONE)
              tallies[place * classes + (vote === fields.VOTE_SMALLER ? smaller : larger)]++;
          }
        }
      }
      let correct = 0;
      for (let place = 0; place < count; place++) {
        const example = order[place];
        let best = 0;
        for (let which = 1; which < classes; which++) {
          if (tallies[place * classes + which] > tallies[place * classes + best]) best = which;
        }
        // no pair has examples of both classes: those that train are of one
        if (tallies[place * classes + best] === 0) best = onlyClass(labels, assignments[assignment], example);
        if (best === labels[example]) correct++;
      }
      return correct;
    });
  }

  release(): void {
    this.#scope.release();
  }
}

/** The class of what trains while `example` is held out. */
function onlyClass(labels: ArrayLike<number>, foldOf: Uint32Array, example: number): number {
  const training = foldOf.findIndex((fold) => fold !== foldOf[example]);
  return training === -1 ? -1 : labels[training];
}

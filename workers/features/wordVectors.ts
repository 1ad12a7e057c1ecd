import { badInput } from '#src/base/contracts/errors.ts';
import * as fields from '../wasm/fields/wordVectorFields.ts';
import { randomGenerator } from '../math/random/randomGenerator.ts';
import { type NumericScope, NumericThreads } from '../wasm/threads/numericThreads.ts';
import {
  type Corpus,
  learningRateAt,
  sentenceOrder,
  WORD_VECTOR_MODELS,
  withoutPadding,
  type WordVectorPlan,
  wordVectorPlan,
  type WordVectorSettings,
} from './wordVectorPlan.ts';

/** What an epoch did. */
export interface WordVectorEpoch {
  /** Epochs done. */
  epoch: number;
  /** Mean of -log σ(positive) - Σ log σ(-negative) over the predictions that were looked at; NaN for none. */
  loss: number;
  tokens: number;
}

/** All that changes while training, copied out. */
export interface WordVectorState {
  /** Epochs done. */
  epoch: number;
  /** Random state of each thread. */
  lanes: number[][];
  /** Input vectors, those of documents among them, and output vectors, both padded to the stride. */
  tables: [input: Float32Array, output: Float32Array];
}

/** Tokens between two looks at the outside: some tens of milliseconds. */
const CHUNK_TOKENS = 32_768;
/** The loss is taken of every so many-th token, of a corpus that is not small. */
const LOSS_EVERY = 8;
const SMALL_CORPUS_TOKENS = 50_000;
const LANE_HEAD_BYTES = 64;
const RANDOM_STATE_WORDS = 4;

/**
 * Word vectors by negative sampling, trained by the compiled kernel. With one thread equal arguments give equal bits; with
 * more, threads write to the same vectors without waiting for each other, and each training is another. Whoever opens it
 * closes it.
 */
export class WordVectors {
  readonly plan: WordVectorPlan;
  readonly #threads: NumericThreads;
  readonly #scope: NumericScope;
  readonly #job: number;
  readonly #order: number;
  readonly #lanes: number;
  readonly #laneBytes: number;
  readonly #input: number;
  readonly #output: number;
  readonly #takesLoss: boolean;
  #epoch = 0;

  /** Throws BAD_INPUT as `wordVectorPlan` does, OUT_OF_MEMORY. `lossEvery` 0 takes no loss. */
  static async open(
    corpus: Corpus,
    settings: WordVectorSettings,
    {
      seed,
      threads,
      lossEvery = corpus.tokens.length < SMALL_CORPUS_TOKENS ? 1 : LOSS_EVERY,
    }: { seed: number; threads: number; lossEvery?: number },
  ): Promise<WordVectors> {
    const plan = wordVectorPlan(corpus, settings, seed);
    const opened = await NumericThreads.open(threads);
    try {
      return new WordVectors(plan, opened, lossEvery);
    } catch (thrown) {
      await opened.close();
      throw thrown;
    }
  }

  private constructor(plan: WordVectorPlan, threads: NumericThreads, lossEvery: number) {
    this.plan = plan;
    this.#takesLoss = lossEvery > 0;
    this.#threads = threads;
    const scope = threads.scope();
    this.#scope = scope;
    const { corpus, settings, stride, sentences, longestSentence } = plan;
    this.#order = scope.reserve(4 * sentences);
    this.#input = scope.place(plan.inputs);
    this.#output = scope.place(new Float32Array(corpus.words * stride));
    const targets = 4 * Math.ceil((settings.negatives + 1) / 4);
    const alignedKept = 4 * Math.ceil(longestSentence / 4);
    // slope, the row of zeros and the mean, then targets and kept tokens
    this.#laneBytes = LANE_HEAD_BYTES + 4 * (3 * stride + targets + alignedKept);
    const lanes = threads.kernels.lanes;
    this.#lanes = scope.place(new Uint32Array((lanes * this.#laneBytes) / 4));
    for (let lane = 0; lane < lanes; lane++) this.#prepareLane(lane, stride, targets);
    const job = new Uint32Array(fields.JOB_WORDS);
    job[fields.MODEL] = [fields.SKIP_GRAM, fields.CBOW, fields.PV_DBOW, fields.PV_DM][
      WORD_VECTOR_MODELS.indexOf(settings.model)
    ]!;
    job[fields.OFFSETS] = scope.place(corpus.offsets);
    job[fields.TOKENS] = scope.place(corpus.tokens);
    job[fields.ORDER] = this.#order;
    job[fields.INPUT] = this.#input;
    job[fields.OUTPUT] = this.#output;
    job[fields.KEPT] = scope.place(plan.keptLimits);
    job[fields.CELL] = scope.place(plan.cells);
    job[fields.ALIAS] = scope.place(plan.aliases);
    job[fields.WORDS] = corpus.words;
    job[fields.STRIDE] = stride;
    job[fields.WINDOW] = settings.window;
    job[fields.SHRINKS] = settings.shrinkWindow ? 1 : 0;
    job[fields.NEGATIVES] = settings.negatives;
    job[fields.LANES] = this.#lanes;
    job[fields.LANE_BYTES] = this.#laneBytes;
    job[fields.LOSS_EVERY] = lossEvery;
    job[fields.WHOLE_UPDATES] = settings.contextUpdate === 'whole' ? 1 : 0;
    this.#job = scope.place(job);
  }

  /** One pass over the corpus in a new order. `pulse` is called every few milliseconds and may throw to stop. */
  epoch(pulse: () => void = () => undefined): WordVectorEpoch {
    const { plan } = this;
    const { offsets, tokens } = plan.corpus;
    const order = sentenceOrder(plan, this.#epoch);
    this.#scope.words(this.#order, order.length).set(order);
    for (let lane = 0; lane < this.#threads.kernels.lanes; lane++) this.#sums(lane).fill(0);
    const { learningRate, finalLearningRate, epochs, weightDecay } = plan.settings;
    const fall = (learningRate - finalLearningRate) / (epochs * tokens.length);
    let read = 0;
    for (let from = 0; from < order.length; ) {
      pulse();
      let until = from;
      let chunk = 0;
      while (until < order.length && chunk < CHUNK_TOKENS) {
        const sentence = order[until++]!;
        chunk += offsets[sentence + 1]! - offsets[sentence]!;
      }
      const rate = learningRateAt(plan, this.#epoch * tokens.length + read);
      const rates = { rate, fall, least: finalLearningRate, decay: weightDecay };
      this.#threads.kernels.run('trainWordVectors', { job: this.#job, from, until, ...rates });
      read += chunk;
      from = until;
    }
    this.#epoch++;
    return this.#report();
  }

  /** For `restore`: with one thread, training then goes on to the bits of one that never stopped. */
  state(): WordVectorState {
    const { corpus, stride, inputs } = this.plan;
    return {
      epoch: this.#epoch,
      lanes: Array.from({ length: this.#threads.kernels.lanes }, (_, lane) =>
        [...this.#randomState(lane)].map((word) => word >>> 0),
      ),
      tables: [
        this.#scope.floats(this.#input, inputs.length).slice(),
        this.#scope.floats(this.#output, corpus.words * stride).slice(),
      ],
    };
  }

  /** Goes on from there. False, with nothing changed, where the state is of another corpus, dimension or number of threads. */
  restore({ epoch, lanes, tables: [input, output] }: WordVectorState): boolean {
    const { corpus, stride, inputs } = this.plan;
    const outputs = this.#scope.floats(this.#output, corpus.words * stride);
    const fits = input.length === inputs.length && output.length === outputs.length;
    if (!fits || lanes.length !== this.#threads.kernels.lanes) return false;
    this.#epoch = epoch;
    this.#scope.floats(this.#input, inputs.length).set(input);
    outputs.set(output);
    for (const [lane, words] of lanes.entries()) this.#randomState(lane).set(words);
    return true;
  }

  /** (words, dimension) The input vectors: the representation h. A copy. */
  vectors(): Float32Array {
    const { corpus, stride, settings } = this.plan;
    return withoutPadding(this.#scope.floats(this.#input, corpus.words * stride), stride, settings.dimension);
  }

  /** (words, dimension) The output vectors. A copy. */
  outputs(): Float32Array {
    const { corpus, stride, settings } = this.plan;
    return withoutPadding(this.#scope.floats(this.#output, corpus.words * stride), stride, settings.dimension);
  }

  /** (sentences, dimension) The vectors of the sentences, of the models pv-dbow and pv-dm; empty for the others. A copy. */
  documents(): Float32Array {
    const { corpus, stride, settings, inputs } = this.plan;
    const all = this.#scope.floats(this.#input, inputs.length).subarray(corpus.words * stride);
    return withoutPadding(all, stride, settings.dimension);
  }

  async close(): Promise<void> {
    this.#scope.release();
    await this.#threads.close();
  }

  #prepareLane(lane: number, stride: number, targets: number): void {
    const address = this.#lanes + lane * this.#laneBytes;
    const words = this.#scope.words(address, LANE_HEAD_BYTES / 4);
    words.set(randomGenerator(this.plan.seed, `word vectors lane ${lane}`).state());
    const slope = address + LANE_HEAD_BYTES;
    words[fields.LANE_SLOPE / 4] = slope;
    words[fields.LANE_MEAN / 4] = slope + 8 * stride;
    words[fields.LANE_TARGETS / 4] = slope + 12 * stride;
    words[fields.LANE_KEPT / 4] = slope + 12 * stride + 4 * targets;
  }

  /** The words of a lane's random generator: a view. */
  #randomState(lane: number): Int32Array {
    return this.#scope.words(this.#lanes + lane * this.#laneBytes, RANDOM_STATE_WORDS);
  }

  /** Loss, predictions and tokens of a lane: a view. */
  #sums(lane: number): Float64Array {
    return this.#scope.doubles(this.#lanes + lane * this.#laneBytes + fields.LANE_LOSS, 3);
  }

  #report(): WordVectorEpoch {
    const sum = [0, 0, 0];
    for (let lane = 0; lane < this.#threads.kernels.lanes; lane++) {
      for (const [i, value] of this.#sums(lane).entries()) sum[i]! += value;
    }
    if (this.#takesLoss && sum[1] === 0) {
      throw badInput(
        `no token was left to predict in epoch ${this.#epoch}: subsample ${this.plan.settings.subsample} drops too many`,
        'parameters.subsample',
      );
    }
    return { epoch: this.#epoch, loss: sum[0]! / sum[1]!, tokens: sum[2]! };
  }
}

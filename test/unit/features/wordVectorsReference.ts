import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';
import {
  type Corpus,
  learningRateAt,
  sentenceOrder,
  withoutPadding,
  wordVectorPlan,
} from '#workers/features/wordVectorPlan.ts';
import type { WordVectorPlan, WordVectorSettings } from '#workers/features/wordVectorPlan.ts';

/**
 * Word vectors by negative sampling, plainly: what `workers/wasm/assembly/wordVectors.ts` computes with one thread, with the
 * same random draws. A prediction of word w from a source vector x against negatives n has the loss
 * -log σ(x·o_w) - Σ log σ(-x·o_n); all its scores are taken before four of its targets move (the word and three negatives, then
 * the next four), and the source moves last. Skip-gram has a prediction of each token from each context token (word2vec's
 * direction), CBOW one from their mean, PV-DM one from the mean of them and the sentence's vector, PV-DBOW one from the
 * sentence's vector. The vectors of a mean follow its slope whole, as in word2vec.c, or divided by their number.
 */
export class ReferenceWordVectors {
  readonly plan: WordVectorPlan;
  readonly inputs: Float32Array;
  readonly outputs: Float32Array;
  readonly #generator: RandomGenerator;
  #epoch = 0;
  #loss = 0;
  #predictions = 0;

  constructor(corpus: Corpus, settings: WordVectorSettings, seed: number) {
    this.plan = wordVectorPlan(corpus, settings, seed);
    this.inputs = this.plan.inputs.slice();
    this.outputs = new Float32Array(corpus.words * this.plan.stride);
    this.#generator = randomGenerator(seed, 'word vectors lane 0');
  }

  /** One pass over the corpus; the mean loss of all predictions. The learning rate is that of the sentence's first token. */
  epoch(): number {
    const { offsets, tokens } = this.plan.corpus;
    this.#loss = this.#predictions = 0;
    let read = 0;
    for (const sentence of sentenceOrder(this.plan, this.#epoch)) {
      const rate = learningRateAt(this.plan, this.#epoch * tokens.length + read);
      const kept: number[] = [];
      for (const word of tokens.subarray(offsets[sentence]!, offsets[sentence + 1]!)) {
        const limit = this.plan.keptLimits[word]!;
        if (limit === 2 ** 32 - 1 || this.#generator.nextUint32() <= limit) kept.push(word);
      }
      for (let place = 0; place < kept.length; place++) this.#trainToken(sentence, kept, { place, rate });
      read += offsets[sentence + 1]! - offsets[sentence]!;
    }
    this.#epoch++;
    return this.#loss / this.#predictions;
  }

  /** (words, dimension) */
  vectors(): Float32Array {
    const { corpus, stride, settings } = this.plan;
    return withoutPadding(this.inputs.subarray(0, corpus.words * stride), stride, settings.dimension);
  }

  /** (sentences, dimension) */
  documents(): Float32Array {
    const { corpus, stride, settings } = this.plan;
    return withoutPadding(this.inputs.subarray(corpus.words * stride), stride, settings.dimension);
  }

  #below(n: number): number {
    return Math.floor((this.#generator.nextUint32() * n) / 2 ** 32);
  }

  #trainToken(sentence: number, kept: readonly number[], { place, rate }: { place: number; rate: number }): void {
    const { settings, corpus, stride } = this.plan;
    const word = kept[place]!;
    const row = (index: number) => this.inputs.subarray(index * stride, (index + 1) * stride);
    const document = row(corpus.words + sentence);
    if (settings.model === 'pv-dbow') {
      this.#follow(document, this.#predict(document, word, rate), { rate, share: 1 });
      return;
    }
    const window = settings.shrinkWindow ? 1 + this.#below(settings.window) : settings.window;
    const context = kept.filter((_, at) => at !== place && Math.abs(at - place) <= window).map(row);
    if (settings.model === 'skip-gram') {
      for (const source of context) this.#follow(source, this.#predict(source, word, rate), { rate, share: 1 });
      return;
    }
    if (settings.model === 'pv-dm') context.push(document);
    if (context.length === 0) return;
    const mean = new Float32Array(stride).map(
      (_, d) => context.reduce((sum, vector) => sum + vector[d]!, 0) / context.length,
    );
    const slope = this.#predict(mean, word, rate);
    const share = settings.contextUpdate === 'whole' ? 1 : 1 / context.length;
    for (const source of context) this.#follow(source, slope, { rate, share });
  }

  #predict(source: Float32Array, word: number, rate: number): Float64Array {
    const { corpus, settings, stride, cells, aliases } = this.plan;
    const targets = [word];
    for (let k = 0; k < settings.negatives; k++) {
      const cell = this.#below(corpus.words);
      const drawn = this.#generator.nextUint32() < cells[cell]! ? cell : aliases[cell]!;
      if (drawn !== word) targets.push(drawn);
    }
    const slope = new Float64Array(stride);
    const keep = 1 - rate * settings.weightDecay;
    for (let first = 0; first < targets.length; first += 4) {
      const four = targets
        .slice(first, first + 4)
        .map((target) => this.outputs.subarray(target * stride, (target + 1) * stride));
      const scores = four.map((output) => output.reduce((sum, value, d) => sum + value * source[d]!, 0));
      for (const [k, output] of four.entries()) {
        const isPositive = first + k === 0;
        const probability = 1 / (1 + Math.exp(-scores[k]!));
        this.#loss -= Math.log(isPositive ? probability : 1 - probability);
        const step = rate * ((isPositive ? 1 : 0) - probability);
        for (let d = 0; d < stride; d++) {
          slope[d]! += step * output[d]!;
          output[d] = keep * output[d]! + step * source[d]!;
        }
      }
    }
    this.#predictions++;
    return slope;
  }

  #follow(row: Float32Array, slope: Float64Array, { rate, share }: { rate: number; share: number }): void {
    const keep = 1 - rate * this.plan.settings.weightDecay;
    for (let d = 0; d < row.length; d++) row[d] = keep * row[d]! + share * slope[d]!;
  }
}

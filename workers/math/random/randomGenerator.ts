/**
 * Seeded random numbers: xoshiro128** of Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021).
 * One seed is split by purpose (`initialise`, `negatives`, …), so that drawing more for one leaves the others as they were.
 */

/** The four words of the generator, as unsigned 32-bit numbers: JSON, for checkpoints. */
export type GeneratorState = readonly [number, number, number, number];

export class RandomGenerator {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** From a saved state; use `randomGenerator` to start from a seed. Not all four words may be 0. */
  constructor(state: GeneratorState) {
    if (state.every((word) => word >>> 0 === 0)) throw new Error('internal: the state of a generator is all zeros');
    this.a = state[0] | 0;
    this.b = state[1] | 0;
    this.c = state[2] | 0;
    this.d = state[3] | 0;
  }

  /** Uniform whole number in [0, 2³²). */
  nextUint32(): number {
    const product = Math.imul(this.b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = this.b << 9;
    this.c ^= this.a;
    this.d ^= this.b;
    this.b ^= this.c;
    this.a ^= this.d;
    this.c ^= shifted;
    this.d = (this.d << 11) | (this.d >>> 21);
    return result;
  }

  /** Uniform in [0, 1), with 53 random bits. */
  nextFloat(): number {
    const high = this.nextUint32() >>> 5;
    const low = this.nextUint32() >>> 6;
    return (high * 67_108_864 + low) / 9_007_199_254_740_992;
  }

  /** Uniform whole number in [0, n), without bias; n from 1 to 2³². */
  nextInt(n: number): number {
    if (!(n >= 1 && n <= 4_294_967_296) || n !== Math.floor(n)) {
      throw new Error(`internal: nextInt(${n}), expected a whole number from 1 to 2^32`);
    }
    const limit = 4_294_967_296 - (4_294_967_296 % n);
    let drawn = this.nextUint32();
    while (drawn >= limit) drawn = this.nextUint32();
    return drawn % n;
  }

  /** Standard normal, by Box and Muller; the second value of the pair is dropped, so that the state is four words. */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.nextFloat()));
    return radius * Math.cos(2 * Math.PI * this.nextFloat());
  }

  /** Permutes `values` in place, every order alike likely (Fisher and Yates). */
  shuffle(values: Uint32Array | Int32Array | Float32Array | Float64Array | unknown[]): void {
    for (let last = values.length - 1; last > 0; last--) {
      const other = this.nextInt(last + 1);
      const kept = values[last];
      values[last] = values[other] as never;
      values[other] = kept as never;
    }
  }

  state(): GeneratorState {
    return [this.a >>> 0, this.b >>> 0, this.c >>> 0, this.d >>> 0];
  }
}

/** MurmurHash3's finaliser: every input bit reaches every output bit. */
function mix(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The generator of `seed` (any finite number) for one purpose: equal arguments give equal sequences. */
export function randomGenerator(seed: number, purpose: string): RandomGenerator {
  if (!Number.isFinite(seed)) throw new Error(`internal: seed ${seed}, expected a finite number`);
  const text = `${seed}/${purpose}`;
  const words: [number, number, number, number] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i) + 1;
    for (let w = 0; w < 4; w++) words[w] = mix(words[w]! ^ Math.imul(unit, 0x9e3779b1 + 2 * w));
  }
  words[3] ||= 1;
  return new RandomGenerator(words);
}

/** Numbers the different patterns (T, T', mask) in the order in which they are first seen: a hash table with open addressing. */
export class PatternNumbers {
  readonly #words: number;
  #slots = new Int32Array(1 << 12).fill(-1);
  #size = 0;
  /** (patterns, 1 + words): T and T' in one word, then the mask. */
  #keys: Uint32Array;

  constructor(words: number) {
    this.#words = words;
    this.#keys = new Uint32Array((1 + words) << 11);
  }

  get size(): number {
    return this.#size;
  }

  /** The number of a pattern; a new one gets number `size`. Lengths are below 65,536. */
  numberOf(length: number, otherLength: number, mask: Uint32Array, at: number): number {
    const lengths = ((length << 16) | otherLength) >>> 0;
    const stride = this.#words + 1;
    const last = this.#slots.length - 1;
    let slot = this.#hash(lengths, mask, at) & last;
    for (;;) {
      const number = this.#slots[slot];
      if (number < 0) break;
      if (this.#keys[number * stride] === lengths && this.#sameMask(number * stride + 1, mask, at)) return number;
      slot = (slot + 1) & last;
    }
    const number = this.#size++;
    this.#slots[slot] = number;
    if ((number + 1) * stride > this.#keys.length) this.#growKeys();
    this.#keys[number * stride] = lengths;
    for (let w = 0; w < this.#words; w++) this.#keys[number * stride + 1 + w] = mask[at + w];
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #growKeys(): void {
    const keys = new Uint32Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
  }

  #sameMask(key: number, mask: Uint32Array, at: number): boolean {
    for (let w = 0; w < this.#words; w++) if (this.#keys[key + w] !== mask[at + w]) return false;
    return true;
  }

  #hash(lengths: number, mask: Uint32Array, at: number): number {
    let hash = Math.imul(lengths, 0x9e3779b1);
    for (let w = 0; w < this.#words; w++) {
      hash ^= mask[at + w];
      hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
      hash ^= hash >>> 13;
    }
    hash = Math.imul(hash, 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
  }

  #rehash(): void {
    const stride = this.#words + 1;
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const last = this.#slots.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let slot = this.#hash(this.#keys[number * stride], this.#keys, number * stride + 1) & last;
      while (this.#slots[slot] >= 0) slot = (slot + 1) & last;
      this.#slots[slot] = number;
    }
  }
}

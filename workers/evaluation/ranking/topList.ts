/**
 * The best items of one user, ties to the lowest item: a heap with the weakest on top. Items are offered in ascending
 * order, so that an equal score never displaces one that is there. Items that do not score above `floor` are no
 * recommendations: where 0 means that nothing speaks for an item, the floor is 0. NaN is never taken.
 */
export class TopList {
  readonly #items: Int32Array;
  readonly #scores: Float64Array;
  readonly #floor: number;
  #size = 0;

  constructor(capacity: number, floor = Number.NEGATIVE_INFINITY) {
    this.#items = new Int32Array(capacity);
    this.#scores = new Float64Array(capacity);
    this.#floor = floor;
  }

  /** Only greater scores are taken. */
  get threshold(): number {
    return this.#size < this.#items.length ? this.#floor : this.#scores[0]!;
  }

  /** Takes `item` if its score is above the threshold. */
  offer(item: number, score: number): void {
    if (!(score > this.threshold)) return;
    if (this.#size < this.#items.length) this.#rise(this.#size++, item, score);
    else this.#sink(0, item, score);
  }

  /** Writes the items best first to `list`, -1 behind them, and empties itself. */
  drain(list: Int32Array): void {
    list.fill(-1);
    while (this.#size > 0) {
      const last = --this.#size;
      list[last] = this.#items[0]!;
      this.#sink(0, this.#items[last]!, this.#scores[last]!);
    }
  }

  #isWeaker(a: number, item: number, score: number): boolean {
    return this.#scores[a]! < score || (this.#scores[a] === score && this.#items[a]! > item);
  }

  #set(at: number, item: number, score: number): void {
    this.#items[at] = item;
    this.#scores[at] = score;
  }

  #rise(from: number, item: number, score: number): void {
    let hole = from;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (this.#isWeaker(parent, item, score)) break;
      this.#set(hole, this.#items[parent]!, this.#scores[parent]!);
      hole = parent;
    }
    this.#set(hole, item, score);
  }

  #sink(from: number, item: number, score: number): void {
    let hole = from;
    for (let child = 2 * hole + 1; child < this.#size; child = 2 * hole + 1) {
      const right = child + 1;
      if (right < this.#size && this.#isWeaker(right, this.#items[child]!, this.#scores[child]!)) child = right;
      if (!this.#isWeaker(child, item, score)) break;
      this.#set(hole, this.#items[child]!, this.#scores[child]!);
      hole = child;
    }
    this.#set(hole, item, score);
  }
}

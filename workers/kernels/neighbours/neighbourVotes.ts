/** How the neighbours' items become scores (OverRec, Section VI-D2 and Figure 5): the catalog's `predictionFunction`. */
export type PredictionFunction =
  | 'weighted-y'
  | 'equal-item'
  | 'weighted-item'
  | 'weighted-item-author'
  | 'weighted-item-author-input';

/** The sequences that rows stand for: the input of row r is `items[starts[r] .. starts[r] + lengths[r]]`, its target follows. */
export interface RowPlaces {
  items: Uint32Array;
  starts: Uint32Array;
  lengths: Uint16Array | Uint32Array;
}

/** Neighbours of one query, nearest first; -1 ends them. */
export interface Neighbours {
  rows: Int32Array;
  values: Float64Array;
}

export interface VoteOptions {
  prediction: PredictionFunction;
  /** Of `weighted-y`: whether neighbours with one target add up (Eq. 16) or the nearest alone counts (the authors' code). */
  duplicates: 'sum' | 'assign';
  /** λ_3 of STAN, in places: how slowly an item's weight falls with its distance from the last common item. */
  itemDecay: number;
}

/**
 * Scores of items from a query's neighbours, sparse: what no neighbour votes for scores 0. Reused from query to query.
 *
 * - `weighted-y` (Eq. 16): each neighbour gives its value to its target. The common denominator is left out: it changes no
 *   ranking, and dividing by it could make ties by rounding.
 * - `equal-item` (SkNN): each gives its value to all its items, input and target, once.
 * - `weighted-item` (STAN, Garg et al. 2019, Eq. 6): value · exp(−|j − c| / λ_3) to the item at place j, where c is the place of the
 *   last item that the query has too; a neighbour without one gives nothing.
 * - `weighted-item-author` (OverRec's code): exp(−|j − c − 1| / λ_3), whatever the value.
 * - `weighted-item-author-input` (their code's other form): exp(−|j − c| / λ_3) over the input alone.
 *
 * An item that a neighbour has twice counts at its last place.
 */
export class NeighbourVotes {
  /** Items that have a score, in the order of their first vote; `size` of them count. */
  readonly items: Uint32Array;
  readonly scores: Float64Array;
  size = 0;
  readonly #slots: Int32Array;
  readonly #visited: Int32Array;
  readonly #inQuery: Int32Array;
  #visit = 0;
  #query = 0;

  constructor(itemCount: number) {
    this.items = new Uint32Array(itemCount);
    this.scores = new Float64Array(itemCount);
    this.#slots = new Int32Array(itemCount).fill(-1);
    this.#visited = new Int32Array(itemCount);
    this.#inQuery = new Int32Array(itemCount);
  }

  /** Replaces the scores by those of a query with this history, from its first k neighbours. */
  score(places: RowPlaces, query: { history: Uint32Array; neighbours: Neighbours }, options: VoteOptions): this {
    for (let at = 0; at < this.size; at++) this.#slots[this.items[at]] = -1;
    this.size = 0;
    this.#query++;
    for (const item of query.history) this.#inQuery[item] = this.#query;
    const { rows, values } = query.neighbours;
    for (let at = 0; at < rows.length && rows[at] >= 0; at++) {
      if (options.prediction === 'weighted-y') this.#voteForTarget(places, rows[at], values[at], options.duplicates);
      else this.#voteForItems(places, rows[at], values[at], options);
    }
    return this;
  }

  #voteForTarget(places: RowPlaces, row: number, value: number, duplicates: 'sum' | 'assign'): void {
    const target = places.items[places.starts[row] + places.lengths[row]];
    if (duplicates === 'sum' || this.#slots[target] < 0) this.#add(target, value);
  }

  #voteForItems(places: RowPlaces, row: number, value: number, { prediction, itemDecay }: VoteOptions): void {
    const length = places.lengths[row] + (prediction === 'weighted-item-author-input' ? 0 : 1);
    const start = places.starts[row];
    const common = prediction === 'equal-item' ? 0 : this.#lastCommonPlace(places.items, start, length);
    if (common < 0) return;
    this.#visit++;
    for (let place = length - 1; place >= 0; place--) {
      const item = places.items[start + place];
      if (this.#visited[item] === this.#visit) continue;
      this.#visited[item] = this.#visit;
      this.#add(item, itemWeight(prediction, { value, place, common, itemDecay }));
    }
  }

  #lastCommonPlace(items: Uint32Array, start: number, length: number): number {
    let place = length - 1;
    while (place >= 0 && this.#inQuery[items[start + place]] !== this.#query) place--;
    return place;
  }

  #add(item: number, score: number): void {
    const slot = this.#slots[item];
    if (slot >= 0) {
      this.scores[slot] += score;
      return;
    }
    this.#slots[item] = this.size;
    this.items[this.size] = item;
    this.scores[this.size++] = score;
  }
}

function itemWeight(
  prediction: PredictionFunction,
  at: { value: number; place: number; common: number; itemDecay: number },
): number {
  const { value, place, common, itemDecay } = at;
  switch (prediction) {
    case 'weighted-item':
      return value * Math.exp(-Math.abs(place - common) / itemDecay);
    case 'weighted-item-author':
      return Math.exp(-Math.abs(place - common - 1) / itemDecay);
    case 'weighted-item-author-input':
      return Math.exp(-Math.abs(place - common) / itemDecay);
    default:
      return value;
  }
}

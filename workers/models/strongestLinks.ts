/**
 * For each of many nodes the links to others that are strongest, offered in any order: those of largest strength, ties to the
 * lowest other. A node that is full keeps its links as a heap with the weakest on top, so that most offers cost one comparison.
 */
export class StrongestLinks {
  /** (nodes + 1) Where the links of a node have their places. */
  readonly #places: Float64Array;
  readonly #counts: Uint32Array;
  readonly #others: Uint32Array;
  readonly #strengths: Float64Array;
  /** (nodes) Strength of the weakest link of a full node; -Infinity where there is room, and Infinity where none is kept. */
  readonly #weakest: Float64Array;

  /** `room` (nodes): links that each keeps at most. */
  constructor(room: Uint32Array) {
    this.#places = new Float64Array(room.length + 1);
    for (const [node, own] of room.entries()) this.#places[node + 1] = this.#places[node]! + own;
    const all = this.#places[room.length]!;
    this.#counts = new Uint32Array(room.length);
    this.#others = new Uint32Array(all);
    this.#strengths = new Float64Array(all);
    this.#weakest = Float64Array.from(room, (own) => (own === 0 ? Infinity : -Infinity));
  }

  /** Offers a link to a node that it does not have yet. */
  offer(node: number, other: number, strength: number): void {
    if (strength < this.#weakest[node]!) return;
    const start = this.#places[node]!;
    const room = this.#places[node + 1]! - start;
    const count = this.#counts[node]!;
    if (count < room) {
      this.#others[start + count] = other;
      this.#strengths[start + count] = strength;
      this.#counts[node] = count + 1;
      if (count + 1 < room) return;
      for (let place = (room >>> 1) - 1; place >= 0; place--) {
        this.#sink({ start, room, place }, this.#others[start + place]!, this.#strengths[start + place]!);
      }
    } else {
      if (room === 0 || (strength === this.#strengths[start]! && other > this.#others[start]!)) return;
      this.#sink({ start, room, place: 0 }, other, strength);
    }
    this.#weakest[node] = this.#strengths[start]!;
  }

  /** Puts a link where `place` is in a heap, or below it, in place of the link that is there. */
  #sink({ start, room, place }: { start: number; room: number; place: number }, other: number, strength: number): void {
    const others = this.#others;
    const strengths = this.#strengths;
    let hole = place;
    for (let child = 2 * hole + 1; child < room; child = 2 * hole + 1) {
      let at = start + child;
      if (child + 1 < room) {
        const difference = strengths[at + 1]! - strengths[at]!;
        if (difference < 0 || (difference === 0 && others[at + 1]! > others[at]!)) {
          child++;
          at++;
        }
      }
      const difference = strengths[at]! - strength;
      if (!(difference < 0 || (difference === 0 && others[at]! > other))) break;
      others[start + hole] = others[at]!;
      strengths[start + hole] = strengths[at]!;
      hole = child;
    }
    others[start + hole] = other;
    strengths[start + hole] = strength;
  }

  /** Links of node n are `others[offsets[n] .. offsets[n + 1]]`, ordered by the other, with their strengths. */
  packed(): { offsets: Uint32Array; others: Uint32Array; strengths: Float64Array } {
    const nodes = this.#counts.length;
    const offsets = new Uint32Array(nodes + 1);
    for (let node = 0; node < nodes; node++) offsets[node + 1] = offsets[node]! + this.#counts[node]!;
    const others = new Uint32Array(offsets[nodes]!);
    const strengths = new Float64Array(offsets[nodes]!);
    const strengthOf = new Float64Array(nodes);
    for (let node = 0; node < nodes; node++) {
      const start = this.#places[node]!;
      const own = this.#others.subarray(start, start + this.#counts[node]!);
      for (let n = 0; n < own.length; n++) strengthOf[own[n]!] = this.#strengths[start + n]!;
      own.sort();
      others.set(own, offsets[node]);
      for (let n = 0; n < own.length; n++) strengths[offsets[node]! + n] = strengthOf[own[n]!]!;
    }
    return { offsets, others, strengths };
  }
}

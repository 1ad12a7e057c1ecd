/** Free stretches of an address space, neighbours merged, ascending. Takes the smallest that fits. */
export class FreeBlocks {
  readonly #starts: number[] = [];
  readonly #sizes: number[] = [];

  /** Start of a stretch of `size` bytes that was free, or null. */
  take(size: number): number | null {
    let best = -1;
    let bestSize = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.#sizes.length; index++) {
      const free = this.#sizes[index]!;
      if (free >= size && free < bestSize) {
        best = index;
        bestSize = free;
        if (free === size) break;
      }
    }
    if (best < 0) return null;
    const start = this.#starts[best]!;
    if (bestSize === size) {
      this.#starts.splice(best, 1);
      this.#sizes.splice(best, 1);
    } else {
      this.#starts[best] = start + size;
      this.#sizes[best] = bestSize - size;
    }
    return start;
  }

  /** Makes the stretch free that was taken before. */
  give(start: number, size: number): void {
    const next = this.#firstAfter(start);
    const previous = next - 1;
    const joinsPrevious = previous >= 0 && this.#starts[previous]! + this.#sizes[previous]! === start;
    const joinsNext = next < this.#starts.length && start + size === this.#starts[next];
    if (joinsPrevious && joinsNext) {
      this.#sizes[previous] = this.#sizes[previous]! + size + this.#sizes[next]!;
      this.#starts.splice(next, 1);
      this.#sizes.splice(next, 1);
    } else if (joinsPrevious) this.#sizes[previous] = this.#sizes[previous]! + size;
    else if (joinsNext) {
      this.#starts[next] = start;
      this.#sizes[next] = this.#sizes[next]! + size;
    } else {
      this.#starts.splice(next, 0, start);
      this.#sizes.splice(next, 0, size);
    }
  }

  #firstAfter(start: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

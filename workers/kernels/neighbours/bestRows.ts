/** The best rows of one query, kept sorted: greatest value first, equal values by lowest row number. */
export class BestRows {
  readonly rows: Int32Array;
  readonly values: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.rows = new Int32Array(capacity);
    this.values = new Float64Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = 0;
  }

  /** Whether a row was taken in; false means that no row with this value and a higher number can be either. */
  offer(row: number, value: number): boolean {
    const { rows, values } = this;
    const full = this.#size === rows.length;
    if (full) {
      const worst = values[rows.length - 1];
      if (value < worst || (value === worst && row > rows[rows.length - 1])) return false;
    }
    let at = full ? rows.length - 1 : this.#size++;
    while (at > 0 && (values[at - 1] < value || (values[at - 1] === value && rows[at - 1] > row))) {
      rows[at] = rows[at - 1];
      values[at] = values[at - 1];
      at--;
    }
    rows[at] = row;
    values[at] = value;
    return true;
  }
}

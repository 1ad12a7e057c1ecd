/** Typed arrays that grow by doubling: for readers that do not know how long the file is. */

export class GrowableUint32 {
  values = new Uint32Array(1 << 11);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  /** The values so far, without a copy. */
  view(): Uint32Array {
    return this.values.subarray(0, this.length);
  }
}

export class GrowableFloat64 {
  values = new Float64Array(1 << 11);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Float64Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  /** The values so far, without a copy. */
  view(): Float64Array {
    return this.values.subarray(0, this.length);
  }
}

export class GrowableFloat32 {
  values = new Float32Array(1 << 11);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Float32Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  /** The values so far, without a copy. */
  view(): Float32Array {
    return this.values.subarray(0, this.length);
  }
}

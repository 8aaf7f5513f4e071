/**
 * Lists of numbers that grow by doubling and stay typed arrays: for edges whose number is not known before the file ends.
 */
export class Uint32List {
  length = 0;
  private data: Uint32Array;

  constructor(capacity = 1024) {
    this.data = new Uint32Array(Math.max(capacity, 16));
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const larger = new Uint32Array(2 * this.length);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length++] = value;
  }

  /** The numbers so far, without a copy: valid until the next push. */
  values(): Uint32Array {
    return this.data.subarray(0, this.length);
  }
}

export class Float64List {
  length = 0;
  private data: Float64Array;

  constructor(capacity = 1024) {
    this.data = new Float64Array(Math.max(capacity, 16));
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length++] = value;
  }

  /** The numbers so far, without a copy: valid until the next push. */
  values(): Float64Array {
    return this.data.subarray(0, this.length);
  }
}

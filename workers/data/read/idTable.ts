import { encodingProposal } from './containers/toUtf8.ts';
import { isMissing } from './missingValue.ts';

/** Largest id that is looked up in an array rather than in a hash table. */
const LARGEST_DENSE_ID = (1 << 24) - 1;
const MOST_DIGITS = 15;

const NEGATIVE = /^-\d+(\.\d+)?$/;
/** What a program puts where it could not read a character. */
const REPLACEMENT = '\uFFFD';

/**
 * Numbers the ids of a file from 0 in order of first appearance. Whole numbers are looked up without making a string;
 * `7` and `007` are two ids.
 */
export class IdTable {
  /** By number. */
  readonly names: string[] = [];
  private dense = new Int32Array(1 << 12).fill(-1);
  private readonly others = new Map<string, number>();
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });

  /** The number of the id `value`, a whole number from 0 to 2⁵³. */
  ofInteger(value: number): number {
    if (value > LARGEST_DENSE_ID) return this.ofText(String(value));
    if (value >= this.dense.length) {
      let length = this.dense.length;
      while (length <= value) length *= 2;
      const larger = new Int32Array(length).fill(-1);
      larger.set(this.dense);
      this.dense = larger;
    }
    const known = this.dense[value]!;
    if (known !== -1) return known;
    const number = this.names.push(String(value)) - 1;
    this.dense[value] = number;
    return number;
  }

  /** Whether the id `value` has a number already. */
  hasInteger(value: number): boolean {
    if (value > LARGEST_DENSE_ID) return this.others.has(String(value));
    return value < this.dense.length && this.dense[value] !== -1;
  }

  /** The number of the id `text`, or -1 as in `ofBytes`. */
  ofString(text: string): number {
    const bytes = Buffer.from(text);
    return this.ofBytes(bytes, 0, bytes.length);
  }

  /** The number of the id in `bytes[start .. end)`, or -1 where it is missing, negative, or no UTF-8; `whyNot` tells. */
  ofBytes(bytes: Buffer, start: number, end: number): number {
    let value = 0;
    let at = start;
    for (; at < end; at++) {
      const digit = bytes[at]! - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    const digits = end - start;
    if (at === end && digits > 0 && digits <= MOST_DIGITS && (bytes[start] !== 48 || digits === 1)) {
      return this.ofInteger(value);
    }
    let text: string;
    try {
      text = this.decoder.decode(bytes.subarray(start, end));
    } catch {
      return -1;
    }
    const known = this.others.get(text);
    if (known !== undefined) return known;
    if (isMissing(text) || NEGATIVE.test(text) || text.includes(REPLACEMENT)) return -1;
    return this.ofText(text);
  }

  /** What should have stood where `ofBytes` found no id. `what`: `a user`. */
  whyNot(what: string, bytes: Buffer): string {
    let text: string;
    try {
      text = this.decoder.decode(bytes);
    } catch {
      return `the id of ${what}, ${encodingProposal(bytes)}`;
    }
    if (isMissing(text)) return `the id of ${what}: this is a missing value`;
    if (text.includes(REPLACEMENT))
      return `the id of ${what}: whoever wrote the file lost characters of it, so that different ids may have become one`;
    return `the id of ${what}, and none is negative`;
  }

  private ofText(text: string): number {
    const known = this.others.get(text);
    if (known !== undefined) return known;
    const number = this.names.push(text) - 1;
    this.others.set(text, number);
    return number;
  }
}

/** First and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * What a `Range` header asks for of `size` bytes (RFC 9110, 14.1.2): one range, `unsatisfiable`, or null for the whole, which
 * is also the answer to several ranges and to units other than bytes.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes *= *(\d*) *- *(\d*) *$/.exec(header ?? '');
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    const suffix = Number(last);
    return suffix === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null; // not a valid range: to be ignored
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

import { isUtf8 } from 'node:buffer';
import { WarrenError } from '#src/base/contracts/errors.ts';

const SHOWN_CHARACTERS = 60;

/** Bytes of a file as they may be shown in a message: short, quoted, control characters escaped. */
export function quotedBytes(bytes: Buffer): string {
  const shown = bytes.subarray(0, 4 * SHOWN_CHARACTERS);
  // bytes that are no UTF-8 as such, so that nothing that is not in the file is shown
  const text = isUtf8(shown) ? shown.toString('utf8') : escaped(shown);
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
}

function escaped(bytes: Buffer): string {
  return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join('');
}

/** The error of one line of a file: where, what was found, what is expected. */
export function badLine(path: string, line: number, found: string, expected: string): WarrenError {
  const where = `${path}:${line}`;
  return new WarrenError('DATA_ERROR', `${where}: found ${found}, expected ${expected}`, { path: where });
}

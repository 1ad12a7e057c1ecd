import { WarrenError } from '#src/contracts/errors.ts';

const SHOWN_CHARACTERS = 60;

/** Bytes of a file as they may be shown in a message: short, quoted, control characters escaped. */
export function quotedBytes(bytes: Buffer): string {
  const text = bytes.subarray(0, 4 * SHOWN_CHARACTERS).toString('utf8');
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
}

/** The error of one line of a file: where, what was found, what is expected. */
export function badLine(path: string, line: number, found: string, expected: string): WarrenError {
  const where = `${path}:${line}`;
  return new WarrenError('DATA_ERROR', `${where}: found ${found}, expected ${expected}`, { path: where });
}

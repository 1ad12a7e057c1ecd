import { badInput, type WarrenError } from '../errors.ts';

/** Characters of the text shown on each side of the place. */
const CONTEXT = 60;

/** Where a text was wrong: its path in the input, the text, and the position counted from 0. */
export interface Place {
  path: string;
  text: string;
  position: number;
}

/** BAD_INPUT that names the column, counted from 1, and shows it under the line with a caret. */
export function filterError(place: Place, message: string): WarrenError {
  const { path, text } = place;
  const position = Math.min(place.position, text.length);
  const lineStart = text.lastIndexOf('\n', position - 1) + 1;
  const lineEnd = text.indexOf('\n', position);
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
  const column = position - lineStart;
  const number = text.slice(0, lineStart).split('\n').length;
  const where = text.includes('\n') ? `line ${number}, column ${column + 1}` : `column ${column + 1}`;
  const from = Math.max(0, column - CONTEXT);
  const before = (from > 0 ? '…' : '') + line.slice(from, column);
  const after = line.slice(column, column + CONTEXT) + (line.length > column + CONTEXT ? '…' : '');
  const shown = `${before}${after}`.replaceAll('\t', ' ');
  return badInput(`${path}, ${where}: ${message}\n  ${shown}\n  ${' '.repeat(before.length)}^`, path);
}

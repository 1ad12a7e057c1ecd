/** A word, a text in quotes, or a symbol of a filter that may be unfinished. */
export interface Piece {
  kind: 'word' | 'string' | 'symbol';
  /** As it is written. */
  text: string;
  /** The parts of a word between its dots, without quotes. */
  segments: string[];
  start: number;
  end: number;
  /** A quote in it was not closed. */
  isOpen: boolean;
}

const DELIMITER = /[\s()"',=<>!]/;
const SYMBOL = /^(<=|>=|!=|<>|==|[=<>(),!])/;

/** The pieces of a filter, as `src/base/contracts/runFilter/tokens.ts` cuts it; nothing in it is an error here. */
export function filterPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (let position = 0; position < text.length; ) {
    const rest = text.slice(position);
    const blanks = /^\s+/.exec(rest)?.[0];
    const symbol = SYMBOL.exec(rest)?.[0];
    if (blanks !== undefined) position += blanks.length;
    else {
      const piece =
        symbol === undefined ? readPiece(text, position) : pieceOf('symbol', text, position, position + symbol.length);
      pieces.push(piece);
      position = piece.end;
    }
  }
  return pieces;
}

function readPiece(text: string, start: number): Piece {
  if (/["']/.test(text[start]!)) {
    const { end, isOpen } = quotedEnd(text, start);
    return { ...pieceOf('string', text, start, end), isOpen };
  }
  const segments: string[] = [];
  let [position, from, isOpen] = [start, start, false];
  while (position < text.length && !isOpen) {
    const character = text[position]!;
    if (character === '.') {
      segments.push(unquoted(text.slice(from, position)));
      position += 1;
      from = position;
    } else if (/["']/.test(character) && position === from && position > start) {
      ({ end: position, isOpen } = quotedEnd(text, position));
    } else if (DELIMITER.test(character)) break;
    else position += 1;
  }
  segments.push(unquoted(text.slice(from, position)));
  return { ...pieceOf('word', text, start, position), segments, isOpen };
}

function pieceOf(kind: Piece['kind'], text: string, start: number, end: number): Piece {
  return { kind, text: text.slice(start, end), segments: [], start, end, isOpen: false };
}

function quotedEnd(text: string, start: number): { end: number; isOpen: boolean } {
  for (let position = start + 1; position < text.length; position++) {
    if (text[position] === '\\') position += 1;
    else if (text[position] === text[start]) return { end: position + 1, isOpen: false };
  }
  return { end: text.length, isOpen: true };
}

function unquoted(text: string): string {
  return /^["']/.test(text) ? text.replace(/^["']|["']$/g, '').replaceAll(/\\(.)/g, '$1') : text;
}

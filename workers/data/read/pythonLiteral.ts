const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '0': '\0',
  '\n': '',
};
const CODES: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
  ['nan', null],
  ['true', true],
  ['false', false],
  ['null', null],
]);
const DEEPEST = 100;

/** Reads one value of Python's literals; whole numbers of more digits than a double holds stay text. */
class LiteralReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value();
    this.#blanks();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return value;
  }

  #value(): unknown {
    this.#blanks();
    const character = this.#text[this.#at] ?? '';
    if (character === '{') return this.#members();
    if (character === '[' || character === '(') return this.#list(character === '[' ? ']' : ')');
    const prefix = /[uUbBrR]{0,2}(?=['"])/y;
    prefix.lastIndex = this.#at;
    const found = prefix.exec(this.#text);
    if (found !== null) {
      this.#at += found[0].length;
      return this.#string(/r/i.test(found[0]));
    }
    const word = /[+-]?[\w.]+(?:[eE][+-]?\d+)?/y;
    word.lastIndex = this.#at;
    const text = word.exec(this.#text)?.[0];
    if (text === undefined) throw this.#unexpected();
    this.#at += text.length;
    if (WORDS.has(text)) return WORDS.get(text);
    const digits = text.replace(/L$/, '');
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits)) throw this.#unexpected();
    return /^\d{16,}$/.test(digits) ? digits : Number(digits);
  }

  #members(): Record<string, unknown> {
    const members: [string, unknown][] = [];
    this.#enclosed('}', () => {
      const name = this.#value();
      this.#take(':');
      members.push([String(name), this.#value()]);
    });
    return Object.fromEntries(members);
  }

  #list(end: string): unknown[] {
    const values: unknown[] = [];
    this.#enclosed(end, () => values.push(this.#value()));
    return values;
  }

  #enclosed(end: string, one: () => void): void {
    if (++this.#depth > DEEPEST) throw new SyntaxError('too deep');
    this.#at++;
    for (this.#blanks(); this.#text[this.#at] !== end; this.#blanks()) {
      one();
      this.#blanks();
      if (this.#text[this.#at] === end) break;
      this.#take(',');
    }
    this.#at++;
    this.#depth--;
  }

  #string(isRaw: boolean): string {
    const quote = this.#text[this.#at]!;
    let value = '';
    for (this.#at++; ; this.#at++) {
      const character = this.#text[this.#at];
      if (character === undefined) throw this.#unexpected();
      if (character === quote) {
        this.#at++;
        return value;
      }
      if (character !== '\\' || isRaw) {
        value += character;
        continue;
      }
      const escaped = this.#text[++this.#at] ?? '';
      const digits = CODES[escaped];
      if (digits === undefined) {
        value += ESCAPES[escaped] ?? (/['"\\]/.test(escaped) ? escaped : `\\${escaped}`);
        continue;
      }
      const code = Number.parseInt(this.#text.slice(this.#at + 1, this.#at + 1 + digits), 16);
      if (Number.isNaN(code) || code > 0x10ffff) throw this.#unexpected();
      value += digits === 4 ? String.fromCharCode(code) : String.fromCodePoint(code);
      this.#at += digits;
    }
  }

  #take(character: string): void {
    this.#blanks();
    if (this.#text[this.#at] !== character) throw this.#unexpected();
    this.#at++;
  }

  #blanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`unexpected ${JSON.stringify(this.#text[this.#at] ?? 'end')} at ${this.#at + 1}`);
  }
}

/** The value of a text that Python's `repr` wrote: dicts, lists, tuples, texts, numbers. Throws a SyntaxError for anything else. */
export function parsePythonLiteral(text: string): unknown {
  return new LiteralReader(text).whole();
}

import { StringDecoder } from 'node:string_decoder';

const LONGEST_LINE = 20_000;

/** Splits what a program writes into lines; of one that `\r` rewrites, as progress bars do, the last form is told. */
export class OutputReader {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  constructor(private readonly onLine: (text: string) => void) {}

  write(chunk: Buffer): void {
    const lines = (this.rest + this.decoder.write(chunk)).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.onLine(shown(line));
    // what is rewritten is forgotten, but for a `\r` at the end, which may be half a line's end
    const start = this.rest.lastIndexOf('\r', this.rest.length - 2) + 1;
    if (start > 0) this.rest = this.rest.slice(start);
    if (this.rest.length > LONGEST_LINE) {
      this.onLine(this.rest.slice(0, LONGEST_LINE));
      this.rest = '';
    }
  }

  end(): void {
    const text = shown(this.rest + this.decoder.end());
    this.rest = '';
    if (text !== '') this.onLine(text);
  }
}

function shown(line: string): string {
  const text = line.replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1);
}

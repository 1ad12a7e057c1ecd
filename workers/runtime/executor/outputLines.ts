import { StringDecoder } from 'node:string_decoder';

/** More without a newline is a line, too. */
const LONGEST_LINE = 20_000;

/** Splits written text into lines; what has no newline yet waits for `end`, unless it is long. */
export class OutputLines {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  constructor(private readonly onLine: (text: string) => void) {}

  write(chunk: Uint8Array | string): void {
    const text = this.rest + (typeof chunk === 'string' ? chunk : this.decoder.write(Buffer.from(chunk)));
    const lines = text.split(/\r?\n/);
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.onLine(line);
    if (this.rest.length <= LONGEST_LINE) return;
    this.onLine(this.rest);
    this.rest = '';
  }

  end(): void {
    const text = this.rest + this.decoder.end();
    this.rest = '';
    if (text !== '') this.onLine(text);
  }
}

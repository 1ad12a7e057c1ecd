import { StringDecoder } from 'node:string_decoder';

/** More without a newline is a line, too; of a longer line the log would cut off the rest. */
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
    for (; this.rest.length > LONGEST_LINE; this.rest = this.rest.slice(LONGEST_LINE)) {
      this.onLine(this.rest.slice(0, LONGEST_LINE));
    }
  }

  end(): void {
    const text = this.rest + this.decoder.end();
    this.rest = '';
    if (text !== '') this.onLine(text);
  }
}

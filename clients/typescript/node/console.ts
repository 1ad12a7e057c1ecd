import { StringDecoder } from 'node:string_decoder';
import { StderrLevels } from '#src/base/lib/stderrLevel.ts';
import type { LogLevel } from '../generated/api.ts';

const LONGEST_LINE = 20_000;

/** Copies what a program prints to a log, until the answer is called. */
export function copyConsole(take: (level: LogLevel, line: string) => void): () => void {
  const levels = new StderrLevels();
  const stops = [
    copyStream(process.stdout, (line) => take('info', line)),
    copyStream(process.stderr, (line) => take(levels.levelOf(line), line)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Gives whole lines of a stream to `take`, too; of a line that `\r` rewrites, the last form. */
function copyStream(stream: NodeJS.WriteStream, take: (line: string) => void): () => void {
  const before = stream.write;
  const decoder = new StringDecoder('utf8');
  let line = '';
  let isBusy = false;
  let isOver = false;
  const split = (text: string): void => {
    const lines = (line + text).split('\n');
    const rest = lines.pop() ?? '';
    for (const whole of lines) take(lastForm(whole.replace(/\r+$/, '')));
    line = /\r$/.test(rest) ? rest : lastForm(rest);
    if (line.length <= LONGEST_LINE) return;
    take(line);
    line = '';
  };
  const copy = (chunk: unknown): void => {
    // what `take` prints itself, for example a warning, is not copied
    if (isBusy || isOver) return;
    isBusy = true;
    try {
      if (typeof chunk === 'string') split(chunk);
      else if (chunk instanceof Uint8Array) split(decoder.write(Buffer.from(chunk)));
    } finally {
      isBusy = false;
    }
  };
  const copying = new Proxy(before, {
    apply(write, self, given: unknown[]) {
      // copied first: who reads what is printed may end the program at once
      copy(given[0]);
      return Reflect.apply(write, self, given);
    },
  });
  stream.write = copying;
  return () => {
    if (isOver) return;
    isOver = true;
    const rest = lastForm(line.replace(/\r+$/, ''));
    if (rest !== '') take(rest);
    // somebody may have put another one over it since
    if (stream.write === copying) stream.write = before;
  };
}

function lastForm(line: string): string {
  return line.slice(line.lastIndexOf('\r') + 1).slice(0, LONGEST_LINE);
}

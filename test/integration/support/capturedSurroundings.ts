import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { Surroundings } from '#src/cli/surroundings.ts';

export interface CapturedSurroundings extends Surroundings {
  /** All that the command has printed so far. */
  stdout(): string;
  stderr(): string;
  /** The exit code, once the command has ended itself at once. */
  exited: Promise<number>;
}

/** What a command has around it that is called in this process: it prints into strings, and gets signals from `signals.emit`. */
export function capturedSurroundings(words: readonly string[], variables: NodeJS.ProcessEnv): CapturedSurroundings {
  const [out, error] = [capture(), capture()];
  let exit: Surroundings['exit'] = () => {};
  const exited = new Promise<number>((resolve) => {
    exit = resolve;
  });
  const streams = { out: out.stream, error: error.stream, stdout: out.text, stderr: error.text };
  const input = Readable.from([]);
  return { words, variables, input, ...streams, signals: new EventEmitter(), exit: (code) => exit(code), exited };
}

function capture(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

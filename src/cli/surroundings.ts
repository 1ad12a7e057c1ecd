import type { Readable, Writable } from 'node:stream';

/** A stream that a command prints on: a terminal, a file or a pipe. */
export interface OutputStream extends Writable {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** What a command has around it, as values: in a program its process, in a test what the test gives. */
export interface Surroundings {
  /** What was typed after the name of the program. */
  words: readonly string[];
  variables: NodeJS.ProcessEnv;
  readonly input: Readable;
  out: OutputStream;
  error: OutputStream;
  /** Where SIGINT, SIGTERM and SIGHUP arrive. */
  signals: NodeJS.EventEmitter;
  /** Ends the command at once. */
  exit(code: number): void;
}

/** Those of this process. */
export function surroundingsOfProcess(): Surroundings {
  return {
    words: process.argv.slice(2),
    variables: process.env,
    // opened by its first use, and most commands read nothing
    get input() {
      return process.stdin;
    },
    out: process.stdout,
    error: process.stderr,
    signals: process,
    exit: (code) => process.exit(code),
  };
}

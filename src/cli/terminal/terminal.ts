import type { WriteStream } from 'node:tty';
import { printableLines } from '#src/lib/printable.ts';
import { type Colours, coloursWanted, createColours } from './colours.ts';

/**
 * Where a command prints: results on one stream, words about them on the other. Whatever text comes from outside, of what is
 * printed here a terminal obeys nothing but our own colours.
 */
export interface Terminal {
  /** One line, or several, of the result: stdout. */
  print(text: string): void;
  /** One line, or several, about what happens: stderr. */
  say(text: string): void;
  /** For results. */
  colours: Colours;
  /** Cells of a line of stdout; undefined where it is no terminal, so that nothing is cut from what goes into a file. */
  width(): number | undefined;
  out: WriteStream;
  error: WriteStream;
}

export function createTerminal(environment: NodeJS.ProcessEnv = process.env): Terminal {
  const { stdout, stderr } = process;
  // A reader that has seen enough (`warren ls | head`) is no error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const colours = coloursWanted(stdout, environment);
  return {
    print: (text) => void stdout.write(`${printableLines(text, { colours })}\n`),
    say: (text) => void stderr.write(`${printableLines(text, { colours: stderr.isTTY })}\n`),
    colours: createColours(colours),
    width: () => (stdout.isTTY ? stdout.columns : undefined),
    out: stdout,
    error: stderr,
  };
}

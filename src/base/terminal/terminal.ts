import { printableLines } from '#src/base/lib/printable.ts';
import type { OutputStream, Surroundings } from '#src/cli/surroundings.ts';
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
  out: OutputStream;
  error: OutputStream;
}

export function createTerminal({
  variables,
  out,
  error: stderr,
  exit,
}: Pick<Surroundings, 'variables' | 'out' | 'error' | 'exit'>): Terminal {
  // A reader that has seen enough (`warren ls | head`) is no error.
  out.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    exit(0);
  });
  const colours = coloursWanted(out, variables);
  return {
    print: (text) => void out.write(`${printableLines(text, { colours })}\n`),
    say: (text) => void stderr.write(`${printableLines(text, { colours: stderr.isTTY === true })}\n`),
    colours: createColours(colours),
    width: () => (out.isTTY === true ? out.columns : undefined),
    out,
    error: stderr,
  };
}

import { posix } from 'node:path';

/** A file that people name in a command to have it executed. */
const SCRIPT = /^[^-{}$][^{}$]*\.(?:py|sh|bash|js|mjs|cjs|ts|r|jl|pl|rb|lua)$/i;

/**
 * Scripts in a command that do not come along: misspelled ones, and those that Git ignores.
 * @param command Its words; what is no text is not looked at.
 * @param sent The files that are sent, below the root of the repository, and the folder in it in which the command starts.
 */
export function missingScripts(
  command: readonly unknown[],
  { paths, folder }: { paths: readonly string[]; folder: string },
): string[] {
  const known = new Set(paths);
  return command.filter((word): word is string => {
    if (typeof word !== 'string' || !SCRIPT.test(word) || posix.isAbsolute(word)) return false;
    const path = posix.normalize(posix.join(folder, word));
    return !path.startsWith('..') && !known.has(path);
  });
}

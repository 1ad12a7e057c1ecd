import { constants } from 'node:os';
import type { ErrorRecord } from '#src/base/contracts/errors.ts';
import type { ProgramExit } from './program.ts';

const LONGEST_REASON = 500;

export interface ProgramFacts {
  exit: ProgramExit;
  program: string;
  /** The last lines that it wrote to stderr. */
  lastLines: readonly string[];
  /** Why it was ended; null when it ended by itself. */
  endedFor: ErrorRecord | null;
  /** Whether the system ended something for want of memory meanwhile. */
  systemLackedMemory: boolean;
}

/** `SIGSEGV` of 11. */
function signalName(number: number): string | null {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? null;
}

/** What went wrong with a program, in one sentence, with its last words; null when it ended well. */
export function programFailure(facts: ProgramFacts): ErrorRecord | null {
  const { exit, program, lastLines, endedFor, systemLackedMemory } = facts;
  const words = lastLines.length === 0 ? {} : { stack: lastLines.join('\n') };
  if (endedFor !== null) return { ...endedFor, ...words };
  if (exit.problem !== null) return { code: 'RUN_FAILED', message: whyNotStarted(program, exit.problem) };
  if (exit.code === 0) return null;
  if (exit.signal === 'SIGKILL' && systemLackedMemory) {
    return { code: 'OUT_OF_MEMORY', message: 'the system ended the program for want of memory', ...words };
  }
  if (exit.signal !== null) {
    return { code: 'RUN_FAILED', message: `the program was ended by the signal ${exit.signal}`, ...words };
  }
  const code = exit.code ?? 0;
  const inner = code > 128 ? signalName(code - 128) : null;
  const how = inner === null ? `exit code ${code}` : `exit code ${code}, as of the signal ${inner}`;
  const reason = lastLines.at(-1)?.trim().slice(0, LONGEST_REASON) ?? '';
  return {
    code: 'RUN_FAILED',
    message: `the program ended with ${how}${reason === '' ? '' : `: ${reason}`}${lackingPackage(reason)}`,
    ...words,
  };
}

/** Workers have another environment than the shell in which a command is queued. */
function lackingPackage(reason: string): string {
  const name = /^ModuleNotFoundError: No module named '([^']+)'$/.exec(reason)?.[1];
  return name === undefined
    ? ''
    : `; if it is installed elsewhere, start the worker in that environment, name its python by its path, or use --environment auto`;
}

function whyNotStarted(program: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `the program "${program}" cannot be started: there is none of that name on its worker`;
  if (code === 'EACCES') return `the program "${program}" cannot be started: it may not be executed (chmod +x)`;
  return `the program "${program}" cannot be started: ${message}`;
}

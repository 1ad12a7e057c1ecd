import { CommanderError } from 'commander';
import { type ErrorCode, type ErrorRecord, toErrorRecord } from '../contracts/errors.ts';

/** Exit codes: 0 done, 1 a run or a check failed, 2 wrong input, 3 a service that is needed does not answer. */
export const EXIT_FAILED = 1;
export const EXIT_BAD_INPUT = 2;
export const EXIT_UNAVAILABLE = 3;

const INPUT_CODES: ReadonlySet<ErrorCode> = new Set([
  'BAD_INPUT',
  'NOT_FOUND',
  'CONFLICT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'TOO_LARGE',
  'OVER_QUOTA',
  'DATA_ERROR',
]);

/**
 * Says in one line what went wrong, without a stack trace (WARREN_LOG=debug adds it), and answers the exit code.
 * @param thrown anything that a command has thrown, commander's own errors included: it has printed those already.
 */
export function reportFailure(
  thrown: unknown,
  say: (line: string) => void,
  variables: NodeJS.ProcessEnv = process.env,
): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : EXIT_BAD_INPUT;
  const record = toErrorRecord(thrown);
  say(`warren: ${failureText(record)}`);
  if (variables.WARREN_LOG === 'debug' && record.stack !== undefined) say(record.stack);
  if (INPUT_CODES.has(record.code)) return EXIT_BAD_INPUT;
  return record.code === 'UNAVAILABLE' || record.code === 'NO_ROOM' ? EXIT_UNAVAILABLE : EXIT_FAILED;
}

/** What went wrong, and where: several problems at once are a list, one per line. */
export function failureText({ code, message, path }: ErrorRecord): string {
  // what is not there is named by the message
  const isTold = path === undefined || code === 'NOT_FOUND' || message.includes(path);
  // spaces at the start of a line stay: a caret there points at a column
  return `${isTold ? '' : `${path}: `}${message.trim().replace(/\s*\n/g, '\n  ')}`;
}

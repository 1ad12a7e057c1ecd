import { coerceError } from '../lib/coerceError.ts';
import { shorten } from '../lib/shorten.ts';

/** Stable codes: nothing relies on `instanceof` across a process boundary. */
export const ERROR_CODES = [
  'BAD_INPUT',
  'NOT_FOUND',
  'CONFLICT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'TOO_LARGE',
  'OVER_QUOTA',
  'NO_ROOM',
  'UNAVAILABLE',
  'TIMED_OUT',
  'DATA_ERROR',
  'RUN_FAILED',
  'OUT_OF_MEMORY',
  'WORKER_LOST',
  'LEASE_LOST',
  'PROGRAM_LOST',
  'CANCELLED',
  'INTERNAL',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Codes of failures of the machinery, retried with backoff; every other code is the user's own and ends the run. */
export const INFRASTRUCTURE_CODES: ReadonlySet<ErrorCode> = new Set([
  'UNAVAILABLE',
  'NO_ROOM',
  'WORKER_LOST',
  'LEASE_LOST',
]);

export interface WarrenErrorOptions {
  /** Where in the input: `parameters.sigmaW`, `filter`, a file and line. */
  path?: string;
  cause?: unknown;
}

/** An error that a person may read: what was wrong, where, and what would be right. */
export class WarrenError extends Error {
  readonly code: ErrorCode;
  readonly path: string | undefined;

  constructor(code: ErrorCode, message: string, options: WarrenErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WarrenError';
    this.code = code;
    this.path = options.path;
  }
}

/** An error as it travels between processes. */
export interface ErrorRecord {
  code: ErrorCode;
  message: string;
  path?: string;
  stack?: string;
}

const LONGEST_SHOWN = 2_000;

/** An error's message as callers get it: one that repeats a large input of theirs says where and what, not all of it. */
export function shownMessage(message: string): string {
  return shorten(message, LONGEST_SHOWN);
}

export function badInput(message: string, path?: string): WarrenError {
  return new WarrenError('BAD_INPUT', message, path === undefined ? {} : { path });
}

/** The one normaliser of thrown values: unknown becomes an `ErrorRecord` with a code. */
export function toErrorRecord(thrown: unknown, fallback: ErrorCode = 'INTERNAL'): ErrorRecord {
  const error = coerceError(thrown);
  const code = 'code' in error && ERROR_CODES.includes(error.code as ErrorCode) ? (error.code as ErrorCode) : fallback;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  return {
    code,
    message: error.message,
    ...(path === undefined ? {} : { path }),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
  };
}

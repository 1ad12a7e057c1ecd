import type { Response } from 'express';
import { type ErrorCode, shownMessage, type WarrenError } from '#src/base/contracts/errors.ts';

const STATUS: Readonly<Record<ErrorCode, number>> = {
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  LEASE_LOST: 409,
  CANCELLED: 409,
  TOO_LARGE: 413,
  OVER_QUOTA: 413,
  DATA_ERROR: 422,
  RUN_FAILED: 422,
  OUT_OF_MEMORY: 500,
  WORKER_LOST: 500,
  PROGRAM_LOST: 500,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  TIMED_OUT: 504,
  NO_ROOM: 507,
};

/** Answers with the error in the shape of GraphQL's errors, and the HTTP status that fits its code. */
export function sendError(response: Response, error: WarrenError): void {
  // who may not come in does not keep a connection either, nor send the rest of a body
  if (error.code === 'UNAUTHENTICATED')
    response.set({ 'WWW-Authenticate': 'Bearer realm="warren"', Connection: 'close' });
  const path = error.path === undefined ? {} : { path: error.path };
  response
    .status(STATUS[error.code])
    .set('Cache-Control', 'no-store')
    .json({ errors: [{ message: shownMessage(error.message), extensions: { code: error.code, ...path } }] });
}

import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler } from 'express';
import { type ErrorCode, toErrorRecord, WarrenError } from '../contracts/errors.ts';
import { isUnreachable } from '../graphql/isUnreachable.ts';
import { LIMITS } from '../graphql/limits/limits.ts';
import type { Logger } from '../platform/logger.ts';
import { sendError } from './sendError.ts';

/** Failures of reading a request's body, as body-parser names them. */
const BODY_FAILURES: Readonly<Record<string, ErrorCode>> = {
  'entity.too.large': 'TOO_LARGE',
  'entity.parse.failed': 'BAD_INPUT',
  'encoding.unsupported': 'BAD_INPUT',
  'charset.unsupported': 'BAD_INPUT',
  'request.size.invalid': 'BAD_INPUT',
  'request.aborted': 'BAD_INPUT',
};

/** Any error of a route as the caller sees it; what is not meant for people is logged under an id and masked. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (response.headersSent || request.socket.destroyed) {
      response.destroy();
      return;
    }
    sendError(
      response,
      shown(error, (id) => logger.error({ err: error, id, path: request.path }, 'a request failed')),
    );
  };
}

function shown(error: unknown, report: (id: string) => void): WarrenError {
  if (error instanceof WarrenError && error.code !== 'INTERNAL') return error;
  const failure = error instanceof Error && 'type' in error ? BODY_FAILURES[String(error.type)] : undefined;
  if (failure === 'TOO_LARGE') {
    return new WarrenError(failure, `the request is too large; at most ${LIMITS.logBodyBytes} bytes are taken`);
  }
  if (failure !== undefined) {
    return new WarrenError(failure, `the request's body cannot be read: ${toErrorRecord(error).message}`);
  }
  if (error instanceof URIError) return new WarrenError('BAD_INPUT', 'the address is not well encoded');
  const id = randomUUID();
  report(id);
  if (isUnreachable(error)) {
    return new WarrenError('UNAVAILABLE', 'the database cannot be reached at the moment; try again');
  }
  return new WarrenError('INTERNAL', `internal error ${id}`);
}

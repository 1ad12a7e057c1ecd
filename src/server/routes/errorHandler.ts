import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler } from 'express';
import { type ErrorCode, toErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import { databaseFailure } from '#src/graphql/databaseFailure.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import type { Logger } from '#src/base/platform/logger.ts';
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
    // the request has no socket any more when its body was given up; the response has one while the caller is there
    if (response.headersSent || response.socket?.destroyed !== false) {
      response.destroy();
      return;
    }
    sendError(
      response,
      shown(error, (id) =>
        logger.error({ err: error, id, requestId: response.locals.requestId, path: request.path }, 'a request failed'),
      ),
    );
  };
}

/** Errors of unpacking a compressed body come from zlib, and carry its code. */
function isDamagedBody(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return (
    error.code.startsWith('Z_') || error.code.startsWith('ERR__ERROR_FORMAT_') || error.code.startsWith('ERR_BROTLI')
  );
}

/** What a caller is told of an error; `report` gets the id under which one that is not for people is to be logged. */
export function shown(error: unknown, report: (id: string) => void): WarrenError {
  if (error instanceof WarrenError && error.code !== 'INTERNAL') return error;
  const failure = error instanceof Error && 'type' in error ? BODY_FAILURES[String(error.type)] : undefined;
  if (failure === 'TOO_LARGE') {
    return new WarrenError(failure, `the request is too large; at most ${LIMITS.logBodyBytes} bytes are taken`);
  }
  if (failure !== undefined) {
    return new WarrenError(failure, `the request's body cannot be read: ${toErrorRecord(error).message}`);
  }
  if (isDamagedBody(error)) {
    return new WarrenError('BAD_INPUT', `the request's body cannot be unpacked: ${toErrorRecord(error).message}`);
  }
  if (error instanceof URIError) return new WarrenError('BAD_INPUT', 'the address is not well encoded');
  const id = randomUUID();
  report(id);
  return databaseFailure(error) ?? new WarrenError('INTERNAL', `internal error ${id}`);
}

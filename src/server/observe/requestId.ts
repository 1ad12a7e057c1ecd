import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

/** What a proxy or a caller may name a request by. */
const GIVEN = /^[\w.:-]{1,100}$/;

/** The id of a request: what its header `X-Request-Id` says where that is a proper one, else a new one. */
export function idOfRequest({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && GIVEN.test(given) ? given : randomUUID();
}

/**
 * Gives every request its id. The answer carries it, and so do the lines that the log has about the request.
 */
export const requestId: RequestHandler = (request, response, next) => {
  const id = idOfRequest(request);
  response.locals.requestId = id;
  response.set('X-Request-Id', id);
  next();
};

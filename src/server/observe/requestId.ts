import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

/** What a proxy or a caller may name a request by. */
const GIVEN = /^[\w.:-]{1,100}$/;

/**
 * Gives every request an id: that of its header `X-Request-Id` where it has a proper one, else a new one. The answer
 * carries it, and so do the lines that the log has about the request.
 */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id') ?? '';
  const id = GIVEN.test(given) ? given : randomUUID();
  response.locals.requestId = id;
  response.set('X-Request-Id', id);
  next();
};

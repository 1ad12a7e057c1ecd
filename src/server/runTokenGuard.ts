import type { RequestHandler } from 'express';
import { requireRun } from '../services/findRun.ts';
import { checkRunToken, isRunToken } from '../services/runToken.ts';
import type { ServiceContext } from '../services/serviceContext.ts';
import { artifactPlace } from './artifactRoutes.ts';
import { bearerToken } from './authentication.ts';

/**
 * Lets a run's own token through to the artifacts that it may have, with WRITE in `response.locals.role`; everybody else
 * goes on to `authenticate`.
 */
export function orRunToken(services: ServiceContext, authenticate: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const token = bearerToken(request.headers.authorization);
    if (token === null || !isRunToken(token)) return authenticate(request, response, next);
    const { run, name } = artifactPlace(request);
    const { id } = await requireRun(services, run, 'run');
    const action = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
    await checkRunToken(services, token, { action, runId: id, name });
    response.locals.role = 'WRITE';
    next();
  };
}

import type { RequestHandler } from 'express';
import { requireRun } from '#src/services/runs/findRun.ts';
import { attemptOfToken, checkRunToken, isRunToken } from '#src/services/attempts/runToken.ts';
import type { ServiceContext } from '#src/services/serviceContext.ts';
import { artifactPlace } from '../routes/artifactRoutes.ts';
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
    response.locals.attempt = await checkRunToken(services, token, { action, runId: id, name });
    response.locals.role = 'WRITE';
    next();
  };
}

/**
 * Lets a program that a worker executes through to GraphQL, as the attempt whose token it has; everybody else goes on to
 * `authenticate`.
 */
export function orRunProgram(services: ServiceContext, authenticate: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const token = bearerToken(request.headers.authorization);
    if (token === null || !isRunToken(token)) return authenticate(request, response, next);
    response.locals.attempt = await attemptOfToken(services, token);
    response.locals.role = 'WRITE';
    response.locals.mayQueueCommands = false;
    response.locals.mayManageQueue = false;
    response.locals.id = token;
    next();
  };
}

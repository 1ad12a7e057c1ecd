import type { RequestHandler } from 'express';
import type { CallerRights } from '#src/base/graphql/context.ts';
import { EVERYWHERE } from '#src/people/callerAccess.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { findRun } from '#src/runs/findRun.ts';
import { attemptOfToken, checkRunToken, isRunToken } from '#src/attempts/runToken.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { artifactPlace, wantedContent } from '../routes/artifactRoutes.ts';
import { bearerToken } from './authentication.ts';

/**
 * Lets a run's own token through to the artifacts that it may have, with WRITE in `response.locals.role`, the run that they are
 * of in `run` and the token's attempt in `attempt`; everybody else goes on to `authenticate`.
 */
export function orRunToken(services: ServiceContext, authenticate: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const token = bearerToken(request.headers.authorization);
    if (token === null || !isRunToken(token)) return authenticate(request, response, next);
    const { run, name } = artifactPlace(request);
    const found = await findRun(services, run);
    const action = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
    const attempt = await checkRunToken(services, token, {
      ...{ action, runId: found?.id ?? null, name },
      sha256: wantedContent(request) ?? null,
    });
    invariant(found !== null, 'the token is of this run or of one that has it as an input');
    Object.assign(response.locals, { ...rightsOfProgram(found.id), attempt, run: found });
    next();
  };
}

/** The token itself is held to its run; what is asked for is, too. */
function rightsOfProgram(run: string): CallerRights {
  return {
    ...EVERYWHERE,
    role: 'WRITE',
    mayQueueCommands: false,
    mayManageQueue: false,
    actor: { kind: 'run', name: run },
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
    const attempt = await attemptOfToken(services, token);
    Object.assign(response.locals, { ...rightsOfProgram(attempt.runId), attempt, id: token });
    next();
  };
}

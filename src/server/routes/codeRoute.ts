import { type RequestHandler, Router } from 'express';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { requireCommandRight } from '#src/base/graphql/context.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { holdCode } from '#src/programs/holdCode.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { callerOf } from '../access/callerServices.ts';
import { allowSlowBody } from './slowBodies.ts';

/** Largest archive of code: 1 GiB. */
const MAXIMUM_BYTES = 1024 ** 3;

/**
 * PUT of the archive of a command's code, mounted at `/code`, after the caller's rights are in `response.locals`. The content
 * is kept for an hour, and for as long as a run refers to it.
 */
export function codeRoute({ services, store }: { services: ServiceContext; store: ArtifactStore }): RequestHandler {
  const router = Router();
  router.put('/', async (request, response) => {
    const caller = callerOf(response);
    requireCommandRight(caller);
    const expectedSha256 = request.get('x-content-sha256') ?? '';
    if (!/^[0-9a-f]{64}$/.test(expectedSha256)) {
      throw badInput('x-content-sha256: expected the 64 hexadecimal digits of a sha256', 'x-content-sha256');
    }
    if (Number(request.get('content-length') ?? 0) > MAXIMUM_BYTES) {
      throw new WarrenError('TOO_LARGE', `the code of a command may have ${MAXIMUM_BYTES} bytes at most`);
    }
    allowSlowBody(request);
    const stored = await store.put(request.iterator({ destroyOnReturn: false }), {
      maximumBytes: MAXIMUM_BYTES,
      expectedSha256,
      beforePlacing: ({ sha256 }) => holdCode(services, sha256, caller.actor),
    });
    response.status(201).set('Cache-Control', 'no-store').json(stored);
  });
  return router;
}

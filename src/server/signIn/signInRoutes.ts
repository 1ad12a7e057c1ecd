import { timingSafeEqual } from 'node:crypto';
import { type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { toErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import type { Logger } from '#src/base/platform/logger.ts';
import type { SignInSettings } from '#src/base/platform/signInSettings.ts';
import { admitUser, identityName } from '#src/people/users.ts';
import { type Actor, recordAct } from '#src/audit/auditLog.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { serverCookie } from './cookies.ts';
import type { OpenidProvider, SignInChecks } from './openidProvider.ts';
import { returnAddress } from './returnAddress.ts';
import { openText, sealText } from './sealedText.ts';
import type { SessionGate } from './sessionGate.ts';
import { sendSignInPage } from './signInPage.ts';

export interface SignInOptions {
  services: ServiceContext;
  settings: SignInSettings;
  provider: OpenidProvider;
  gate: SessionGate;
  /** Seals what a browser keeps while its person is at the provider. */
  key: string;
  logger: Logger;
}

/** People have this long at the provider. */
const AWAY_SECONDS = 600;
const PURPOSE = 'sign-in';

const awaySchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  until: z.number(),
});

/**
 * Mounted at `/auth`: `sign-in` sends the browser to the provider, which sends it back to `callback`; `sign-out` ends the session;
 * `status` says where people sign in, if they do. What belongs together is kept in a sealed cookie of that browser, which `callback`
 * takes away: an answer of the provider holds in the browser that asked, once.
 */
export function signInRoutes(options: SignInOptions | null): RequestHandler {
  const router = Router();
  router.get('/status', (_request, response) => {
    const address = options === null ? null : `${options.settings.publicOrigin}/auth/sign-in`;
    const groupDays = options?.settings.groupDays ?? null;
    response.set('Cache-Control', 'no-store').json({ signIn: address, groupDays });
  });
  if (options === null) return router;
  const { services, settings, provider, gate, key, logger } = options;
  const { publicOrigin } = settings;
  const away = serverCookie('warren-sign-in', publicOrigin);

  router.get('/sign-in', async (request, response) => {
    const to = returnAddress(request.query.to, publicOrigin);
    await orPage(response, async () => {
      const { address, checks } = await provider.begin();
      const kept = JSON.stringify({ ...checks, to, until: Date.now() + AWAY_SECONDS * 1000 });
      away.write(response, sealText(key, PURPOSE, kept), AWAY_SECONDS);
      response.redirect(303, address.href);
    });
  });

  router.get('/callback', async (request, response) => {
    const sealed = away.read(request);
    away.clear(response);
    const refused = (error: WarrenError, actor: Actor) =>
      write({ actor, action: 'signIn', result: error.code, details: { reason: error.message } });
    await orPage(response, async () => {
      const current = new URL(request.originalUrl, publicOrigin);
      const checks = requireChecks(sealed, current);
      refuseByProvider(current);
      const identity = await provider.finish(current, checks);
      const actor: Actor = { kind: 'user', name: identityName(identity) };
      const user = await admitUser(services, settings, identity).catch(async (error: unknown) => {
        if (error instanceof WarrenError) await refused(error, actor);
        throw error;
      });
      await gate.begin(request, response, user.id);
      await write({ actor, action: 'signIn' });
      response.redirect(303, checks.to);
    });
  });

  router.post('/sign-out', async (request, response) => {
    const caller = await gate.callerOf(request, response);
    if (caller === null) {
      const message = 'nobody is signed in, or the request is not of a page of this server (header X-Warren-Request)';
      throw new WarrenError('UNAUTHENTICATED', message);
    }
    response.removeHeader('Set-Cookie');
    await gate.end(response, caller);
    await write({ actor: caller.rights.actor, action: 'signOut' });
    response.status(204).end();
  });

  function requireChecks(sealed: string | null, current: URL): SignInChecks & { to: string } {
    const opened = sealed === null ? null : openText(key, PURPOSE, sealed);
    const kept = opened === null ? null : awaySchema.parse(JSON.parse(opened));
    const again = 'begin again';
    if (kept === null)
      throw new WarrenError('BAD_INPUT', `this browser did not ask to sign in, or has used the answer; ${again}`);
    if (kept.until < Date.now()) throw new WarrenError('BAD_INPUT', `signing in took more than ten minutes; ${again}`);
    if (!isSame(current.searchParams.get('state') ?? '', kept.state)) {
      throw new WarrenError('BAD_INPUT', `this answer is to another question than this browser asked last; ${again}`);
    }
    return kept;
  }

  async function write(act: Parameters<typeof recordAct>[1]): Promise<void> {
    await recordAct(services, act).catch((error: unknown) =>
      logger.error({ err: error, action: act.action }, 'the audit log could not be written'),
    );
  }

  /** Errors as a page: it is people who come here. */
  async function orPage(response: Response, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { code, message } = toErrorRecord(error);
      const expected = error instanceof WarrenError && code !== 'INTERNAL';
      if (!expected || error.cause !== undefined) logger.warn({ err: error }, 'a sign-in failed');
      sendSignInPage(response, code, expected ? message : 'something went wrong here; the log of the server says what');
    }
  }

  return router;
}

/** @throws WarrenError FORBIDDEN when the person or the provider said no. */
function refuseByProvider({ searchParams }: URL): void {
  const error = searchParams.get('error');
  if (error === null) return;
  const word = /^[\w.-]{1,60}$/.test(error) ? error : 'an error';
  throw new WarrenError('FORBIDDEN', `the provider did not sign you in: ${word}`);
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

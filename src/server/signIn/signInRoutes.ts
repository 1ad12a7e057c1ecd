import { timingSafeEqual, createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { toErrorRecord, WarrenError, type ErrorCode, shownMessage } from '#src/base/contracts/errors.ts';
import type { Logger } from '#src/base/platform/logger.ts';
import type { SignInSettings } from '#src/base/platform/signInSettings.ts';
import { admitUser, identityName } from '#src/people/users.ts';
import { type Actor, recordAct } from '#src/audit/auditLog.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { serverCookie } from './cookies.ts';
import type { OpenidProvider, SignInChecks } from './openidProvider.ts';
import type { SessionGate } from './sessionGate.ts';

const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = { BAD_INPUT: 400, FORBIDDEN: 403, UNAVAILABLE: 503 };
const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The look of the dashboard in attributes: what else a page loads, the policy of pages forbids, and no file of the dashboard has a fixed name. */
const STYLES = {
  page:
    'margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;box-sizing:border-box;' +
    'font:13px/1.5 system-ui,Segoe UI,Roboto,Helvetica Neue,Liberation Sans,sans-serif;' +
    'background:light-dark(#f5f6f7,#101317);color:light-dark(#1a1e24,#e4e8ec)',
  panel:
    'width:min(520px,100%);box-sizing:border-box;padding:24px;border:1px solid light-dark(#d8dde2,#2c333c);' +
    'border-radius:8px;background:light-dark(#fff,#171b20)',
  name: 'margin:0;font-weight:600;color:light-dark(#0b6670,#62c4cd)',
  title: 'margin:4px 0 8px;font-size:20px',
  text: 'margin:0 0 16px;overflow-wrap:anywhere',
  code: 'display:block;margin-top:8px;padding:8px;border-radius:5px;background:light-dark(#eef1f3,#222830);font-family:ui-monospace,Liberation Mono,Menlo,Consolas,monospace;font-size:12px',
  actions: 'display:flex;align-items:center;gap:12px;margin:0',
  button:
    'padding:5px 12px;border-radius:5px;text-decoration:none;background:light-dark(#0b6670,#62c4cd);color:light-dark(#fff,#08292c)',
  link: 'color:light-dark(#0b6670,#62c4cd)',
};

/** Says why nobody was signed in, as a page without script. */
function sendSignInPage(response: Response, code: ErrorCode, message: string): void {
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Not signed in · Warren</title><link rel="icon" href="/favicon.svg"></head>
<body style="${STYLES.page}"><main style="${STYLES.panel}"><p style="${STYLES.name}">Warren</p>
<h1 style="${STYLES.title}">You are not signed in</h1><p style="${STYLES.text}">${sentence(shownMessage(message))}</p>
<p style="${STYLES.actions}"><a style="${STYLES.button}" href="/auth/sign-in">Sign in</a>
<a style="${STYLES.link}" href="/">To the first page</a></p></main></body></html>
`;
  response
    .status(STATUS[code] ?? 500)
    .set({ 'Cache-Control': 'no-store', 'Content-Type': 'text/html; charset=utf-8' })
    .send(page);
}

/** A message as HTML: a sentence, but an address at its start stays as it is; a command at its end stands in a line of its own. */
function sentence(message: string): string {
  const shown = message.replace(/[&<>"']/g, (mark) => MARKS[mark] ?? '');
  const [first = ''] = shown.split(' ', 1);
  const begun = first.includes('@') ? shown : shown.charAt(0).toUpperCase() + shown.slice(1);
  const command = /: (warren \S.*)$/.exec(begun);
  if (command === null) return /[.!?]$/.test(begun) ? begun : `${begun}.`;
  return `${begun.slice(0, command.index)}: <code style="${STYLES.code}">${command[1]}</code>`;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text that only servers with the same key read, for the purpose named. */
function sealText(key: string, purpose: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyFor(key, purpose), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The text again; null where it was changed, or sealed with another key or for another purpose. */
function openText(key: string, purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, keyFor(key, purpose), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const opened = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(opened).toString('utf8');
  } catch {
    return null;
  }
}

function keyFor(key: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, 'warren', purpose, 32));
}

const LONGEST = 2_000;

/**
 * The address in this server to go to after signing in, whole; the first page for anything else. Whole, since a path that begins with
 * `//` would be another server.
 */
function returnAddress(wanted: unknown, publicOrigin: string): string {
  const home = `${publicOrigin}/`;
  if (typeof wanted !== 'string' || wanted.length > LONGEST || !wanted.startsWith('/')) return home;
  if (!URL.canParse(wanted, home)) return home;
  const address = new URL(wanted, home);
  const isPage = address.origin === publicOrigin && !/^\/+auth(\/|$)/.test(address.pathname);
  return isPage ? address.href : home;
}

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

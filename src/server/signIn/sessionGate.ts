import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { CallerRights } from '#src/base/graphql/context.ts';
import type { SignInSettings } from '#src/base/platform/signInSettings.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import {
  endSession,
  lookAtSession,
  resumeSession,
  type SessionTimes,
  type SignedIn,
  startSession,
} from '#src/people/userSessions.ts';
import { serverCookie } from './cookies.ts';

/** A header that a page of another origin cannot send without asking first. */
const OWN_PAGE_HEADER = 'x-warren-request';

/**
 * Whether the cookies of a request count. Browsers send them along whoever made the page, so a request that changes something
 * must say that it comes from a page of this server, and have what forms of other pages cannot: JSON, or the header
 * `X-Warren-Request`. One that only reads must not come from another page.
 */
function cookiesCount({ method, headers }: IncomingMessage, publicOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== publicOrigin) return false;
  if (method === 'GET' || method === 'HEAD') return site === undefined || site === 'same-origin' || site === 'none';
  if (origin === undefined || (site !== undefined && site !== 'same-origin')) return false;
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' || headers[OWN_PAGE_HEADER] !== undefined;
}

/** The same for opening a WebSocket, by which things are changed too. */
function socketCookiesCount({ headers }: IncomingMessage, publicOrigin: string): boolean {
  return headers.origin === publicOrigin;
}

/** Somebody who is signed in; `id` is that of the session. */
export interface SignedInCaller {
  rights: CallerRights;
  id: string;
}

/** Who is signed in, by the cookie of a session. */
export interface SessionGate {
  /** Who sent a request; null for nobody, and where its cookies do not count. Gives the browser another secret now and then. */
  callerOf(request: IncomingMessage, response: Response): Promise<SignedInCaller | null>;
  /** The same of one that opens a WebSocket, which gives the browser nothing. */
  socketCaller(request: IncomingMessage): Promise<SignedInCaller | null>;
  /** Who it is now; null when the session has ended, or the person was disabled. */
  look(id: string): Promise<SignedInCaller | null>;
  /** Signs somebody in; the session that the browser has had ends. */
  begin(request: IncomingMessage, response: Response, userId: string): Promise<void>;
  end(response: Response, caller: SignedInCaller): Promise<void>;
}

const ROTATION_SECONDS = 15 * 60;
const GRACE_SECONDS = 60;
const HOUR_SECONDS = 3600;

/** How long sessions last, by the settings. */
export function sessionTimes({ sessionHours, idleHours }: SignInSettings): SessionTimes {
  return {
    ...{ most: sessionHours * HOUR_SECONDS, idle: idleHours * HOUR_SECONDS },
    ...{ rotation: ROTATION_SECONDS, grace: GRACE_SECONDS },
  };
}

/** Each request is looked up: who was disabled a moment ago is out. */
export function createSessionGate(services: Pick<ServiceContext, 'db'>, settings: SignInSettings): SessionGate {
  const { publicOrigin } = settings;
  const times = sessionTimes(settings);
  const cookie = serverCookie('warren-session', publicOrigin);
  const caller = (found: SignedIn): SignedInCaller => ({
    rights: { ...found.access, actor: found.actor },
    id: found.sessionId,
  });

  return {
    async callerOf(request, response) {
      const secret = cookie.read(request);
      if (secret === null || !cookiesCount(request, publicOrigin)) return null;
      const found = await resumeSession(services, secret, times);
      if (found === null) {
        cookie.clear(response);
        return null;
      }
      if (found.newSecret !== null) cookie.write(response, found.newSecret, times.most);
      return caller(found);
    },
    async socketCaller(request) {
      const secret = cookie.read(request);
      if (secret === null || !socketCookiesCount(request, publicOrigin)) return null;
      const found = await resumeSession(services, secret, { ...times, rotation: Number.POSITIVE_INFINITY });
      return found === null ? null : caller(found);
    },
    async look(id) {
      const found = await lookAtSession(services, id, times);
      return found === null ? null : caller(found);
    },
    async begin(request, response, userId) {
      const secret = await startSession(services, { userId, before: cookie.read(request) }, times);
      cookie.write(response, secret, times.most);
    },
    async end(response, { id }) {
      await endSession(services, id);
      cookie.clear(response);
    },
  };
}

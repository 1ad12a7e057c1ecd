import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { hostOf, isLoopback } from './loopback.ts';
import { sendError } from '../routes/sendError.ts';

export interface GuardOptions {
  /** The server is bound to loopback: only names of this machine may be in the Host header. */
  loopbackOnly: boolean;
  /** Further browser origins that may use the API, such as `https://tracking.example.org`. */
  origins: readonly string[];
  /** Take the names in `origins` as names of this server too, as behind a proxy: only where a token is asked for. */
  originsAreNames: boolean;
}

export interface RequestGuard {
  /** Refuses names that a foreign page has made point here (DNS rebinding). */
  hostAllowed(request: IncomingMessage): boolean;
  /** Whether the page that sent the request may talk to this server: its own pages, those named, and programs. */
  originAllowed(request: IncomingMessage): boolean;
  middleware: RequestHandler;
}

/** Checks of the Host and Origin headers, the same for HTTP and WebSocket. */
export function createRequestGuard({ loopbackOnly, origins, originsAreNames }: GuardOptions): RequestGuard {
  const named = new Set(origins.map((origin) => origin.toLowerCase().replace(/\/+$/, '')));
  const names = new Set(
    originsAreNames ? [...named].flatMap((origin) => (URL.canParse(origin) ? new URL(origin).host : [])) : [],
  );

  function hostAllowed(request: IncomingMessage): boolean {
    if (!loopbackOnly) return true;
    const { host } = request.headers;
    return host !== undefined && (isLoopback(hostOf(host)) || names.has(host.toLowerCase()));
  }

  function originAllowed(request: IncomingMessage): boolean {
    const { origin, host } = request.headers;
    if (origin === undefined) return true; // not a browser, or a page of our own
    if (named.has(origin.toLowerCase())) return true;
    return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase();
  }

  const middleware: RequestHandler = (request, response, next) => {
    if (!hostAllowed(request)) {
      const message = `this server answers on loopback only, not as "${request.headers.host ?? ''}"`;
      return sendError(response, new WarrenError('FORBIDDEN', message));
    }
    const { origin } = request.headers;
    if (origin !== undefined && named.has(origin.toLowerCase())) {
      response.vary('Origin');
      response.set('Access-Control-Allow-Origin', origin);
      response.set('Access-Control-Expose-Headers', 'ETag, Content-Range, Accept-Ranges, Warren-Token');
      if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
        response.set('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT');
        response.set(
          'Access-Control-Allow-Headers',
          'authorization, content-type, range, x-content-sha256, x-warren-user',
        );
        response.set('Access-Control-Max-Age', '600');
        response.status(204).end();
        return;
      }
    }
    const changes = request.method !== 'GET' && request.method !== 'HEAD';
    if (changes && !originAllowed(request)) {
      const message = `pages of ${origin} may not change anything here; WARREN_ORIGINS names those that may`;
      return sendError(response, new WarrenError('FORBIDDEN', message));
    }
    next();
  };

  return { hostAllowed, originAllowed, middleware };
}

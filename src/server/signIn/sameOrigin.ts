import type { IncomingMessage } from 'node:http';

/** A header that a page of another origin cannot send without asking first. */
export const OWN_PAGE_HEADER = 'x-warren-request';

/**
 * Whether the cookies of a request count. Browsers send them along whoever made the page, so a request that changes something
 * must say that it comes from a page of this server, and have what forms of other pages cannot: JSON, or the header
 * `X-Warren-Request`. One that only reads must not come from another page.
 */
export function cookiesCount({ method, headers }: IncomingMessage, publicOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== publicOrigin) return false;
  if (method === 'GET' || method === 'HEAD') return site === undefined || site === 'same-origin' || site === 'none';
  if (origin === undefined || (site !== undefined && site !== 'same-origin')) return false;
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' || headers[OWN_PAGE_HEADER] !== undefined;
}

/** The same for opening a WebSocket, by which things are changed too. */
export function socketCookiesCount({ headers }: IncomingMessage, publicOrigin: string): boolean {
  return headers.origin === publicOrigin;
}

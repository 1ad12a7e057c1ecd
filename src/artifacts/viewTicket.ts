import { createHmac, timingSafeEqual } from 'node:crypto';
import { WarrenError } from '#src/base/contracts/errors.ts';

/** An address is good for one to two of these, and stays the same for one, so that browsers keep what they fetched. */
const WINDOW_MS = 3_600_000;

/** What a ticket opens: one artifact of one run. */
export interface View {
  runId: string;
  /** The artifact's name. */
  name: string;
  /** The link for whose page it is; null for callers with a token. */
  link?: string | null;
}

/**
 * The address, relative to the API, under which a browser may show an artifact for an hour or two without a token: an
 * `<img>` or `<iframe>` cannot send one.
 */
export function viewUrl(key: string, view: View, nowMs: number = Date.now()): string {
  const expires = Math.ceil(nowMs / WINDOW_MS) * WINDOW_MS + WINDOW_MS;
  const name = view.name.split('/').map(encodeURIComponent).join('/');
  return `/media/${view.runId}/${name}?ticket=${expires}.${signature(key, view, expires)}${view.link == null ? '' : `&link=${view.link}`}`;
}

/** @throws WarrenError FORBIDDEN when the ticket is not for this, or has expired. */
export function checkTicket(key: string, view: View, ticket: unknown, nowMs: number = Date.now()): void {
  const [, expires, given] = /^(\d{1,16})\.([\w-]{43})$/.exec(typeof ticket === 'string' ? ticket : '') ?? [];
  if (expires === undefined || given === undefined) {
    throw new WarrenError('FORBIDDEN', 'media are shown at the addresses that the API gives, with their tickets');
  }
  const right = signature(key, view, Number(expires));
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(right)) || Number(expires) < nowMs) {
    throw new WarrenError('FORBIDDEN', 'this ticket is not for that, or has expired: load the page again');
  }
}

function signature(key: string, { runId, name, link = null }: View, expires: number): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([runId, name, expires, ...(link === null ? [] : [link])]))
    .digest('base64url');
}

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { Holder } from '#src/people/callerStands.ts';

/** Milliseconds for which parts may be sent after an upload was begun. */
const VALID_MS = 24 * 60 * 60 * 1_000;

/** A file of a run, to be sent in so many parts. */
export interface PartedFile {
  runId: string;
  name: string;
  parts: number;
  /** Bytes that a part may have. */
  partBytes: number;
  /** Who began it, and sends no part after having been shut out; null for callers without a token. */
  holder: Holder | null;
}

const FORM =
  /^(\d{13})\.([1-9]\d{0,4})\.([1-9]\d{0,11})\.([\w-]{22})\.(?:-|(token|user)_([\w-]{36}))\.([\w-]{43})\.([\w-]{43})$/;

/**
 * The id of an upload in parts. Who has it may send the parts for a day, without a token, as MLflow's clients do, while that
 * of who began it holds. What they make of it is checked when the upload is completed.
 */
export function uploadTicket(key: string, file: PartedFile, nowMs: number = Date.now()): string {
  const nonce = randomBytes(16).toString('base64url');
  const holder = file.holder === null ? '-' : `${file.holder.kind}_${file.holder.id}`;
  const said = `${nowMs + VALID_MS}.${file.parts}.${file.partBytes}.${nonce}.${holder}.${placeOf(file)}`;
  return `${said}.${signature(key, said)}`;
}

/** What the parts of an upload may be. @throws WarrenError FORBIDDEN for an id that was not given here, or has expired. */
export function ticketParts(
  key: string,
  ticket: string,
  nowMs: number = Date.now(),
): Pick<PartedFile, 'parts' | 'partBytes' | 'holder'> {
  const [, expires, parts, partBytes, , kind, id, , given] = FORM.exec(ticket) ?? [];
  const right = signature(key, ticket.slice(0, Math.max(0, ticket.lastIndexOf('.'))));
  if (given === undefined || !timingSafeEqual(Buffer.from(given), Buffer.from(right)) || Number(expires) < nowMs) {
    throw new WarrenError('FORBIDDEN', 'there is no such upload in parts, or it was begun more than a day ago', {
      path: 'upload_id',
    });
  }
  const isHeld = (kind === 'token' || kind === 'user') && id !== undefined;
  return { parts: Number(parts), partBytes: Number(partBytes), holder: isHeld ? { kind, id } : null };
}

/** How many parts the upload of this very file has. @throws WarrenError FORBIDDEN, BAD_INPUT where it is of another. */
export function partsOf(key: string, ticket: string, file: Pick<PartedFile, 'runId' | 'name'>): number {
  const { parts } = ticketParts(key, ticket);
  if (FORM.exec(ticket)?.[7] !== placeOf(file))
    throw badInput('upload_id: this upload is of another file', 'upload_id');
  return parts;
}

function placeOf({ runId, name }: Pick<PartedFile, 'runId' | 'name'>): string {
  return createHash('sha256')
    .update(JSON.stringify([runId, name]))
    .digest('base64url');
}

function signature(key: string, said: string): string {
  return createHmac('sha256', key).update(`upload in parts ${said}`).digest('base64url');
}

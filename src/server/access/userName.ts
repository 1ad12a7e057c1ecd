import type { Actor } from '#src/audit/auditLog.ts';

const LONGEST = 200;

/**
 * Whom runs that a caller makes name as their maker: the person who is signed in, or who made the token for themselves; else
 * the user name under which its program runs; else the token's name. Null where none of them is known.
 * @param told The header `x-warren-user`: a user name in UTF-8, percent-encoded.
 */
export function makerOf(actor: Actor, told: unknown): string | null {
  if (actor.kind === 'user') return actor.name;
  if (actor.person !== undefined) return actor.person;
  const name = typeof told === 'string' ? decoded(told).trim().slice(0, LONGEST) : '';
  if (name !== '') return name;
  return actor.kind === 'token' ? actor.name : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

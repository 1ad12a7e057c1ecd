import { createHash } from 'node:crypto';
import { WarrenError } from '../contracts/errors.ts';
import type { CallerRole } from '../graphql/context.ts';
import { authenticateToken } from '../services/authenticateToken.ts';
import type { ServiceContext } from '../services/serviceContext.ts';

/** A revoked token works for this long at most. */
const REMEMBERED_MS = 5_000;
const REMEMBERED_TOKENS = 1_000;

export interface Authenticator {
  /**
   * The role of a caller.
   * @throws WarrenError UNAUTHENTICATED when the token is unknown, revoked or expired, or none came where one is needed.
   */
  roleOf(token: string | null): Promise<CallerRole>;
}

export interface AuthenticatorOptions {
  services: Pick<ServiceContext, 'db'>;
  /** Whether a caller without a token is refused, rather than allowed everything. */
  tokensRequired: boolean;
}

/** Checks tokens, and remembers the answer for a few seconds so that each request does not cost a query. */
export function createAuthenticator({ services, tokensRequired }: AuthenticatorOptions): Authenticator {
  const remembered = new Map<string, { role: CallerRole; until: number }>();

  async function look(token: string): Promise<CallerRole> {
    const key = createHash('sha256').update(token).digest('base64');
    const known = remembered.get(key);
    if (known !== undefined && known.until > Date.now()) return known.role;
    remembered.delete(key);
    const found = await authenticateToken(services, token);
    if (found === null) {
      throw new WarrenError('UNAUTHENTICATED', 'this token is unknown, revoked or expired; an admin can issue another');
    }
    if (remembered.size >= REMEMBERED_TOKENS) remembered.clear();
    remembered.set(key, { role: found.role, until: Date.now() + REMEMBERED_MS });
    return found.role;
  }

  return {
    async roleOf(token) {
      if (token !== null) return tokensRequired ? look(token) : 'none';
      if (!tokensRequired) return 'none';
      const advice = '"Authorization: Bearer …", or the connection parameter "token" of a WebSocket';
      throw new WarrenError('UNAUTHENTICATED', `this server needs a token: send ${advice}`);
    },
  };
}

/** The token in an `Authorization: Bearer …` header; null when there is none. */
export function bearerToken(header: unknown): string | null {
  if (typeof header !== 'string') return null;
  return /^Bearer +([\x21-\x7e]{1,500}) *$/i.exec(header)?.[1] ?? null;
}

import { createHash } from 'node:crypto';
import { WarrenError } from '#src/contracts/errors.ts';
import type { CallerRights } from '#src/graphql/context.ts';
import { authenticateToken } from '#src/services/tokens/apiTokens.ts';
import type { ServiceContext } from '#src/services/serviceContext.ts';
import type { TokenRecord } from '#src/store/records/tokenRecord.ts';

/** A revoked token works for this long at most. */
const REMEMBERED_MS = 5_000;
const REMEMBERED_TOKENS = 1_000;

export interface Authenticator {
  /**
   * What a caller may do.
   * @throws WarrenError UNAUTHENTICATED when the token is unknown, revoked or expired, or none came where one is needed.
   */
  rightsOf(token: string | null): Promise<CallerRights>;
}

export interface AuthenticatorOptions {
  services: Pick<ServiceContext, 'db'>;
  /** Whether a caller without a token is refused, rather than allowed everything. */
  tokensRequired: boolean;
}

/** Checks tokens, and remembers the answer for a few seconds so that each request does not cost a query. */
export function createAuthenticator({ services, tokensRequired }: AuthenticatorOptions): Authenticator {
  const remembered = new Map<string, { rights: CallerRights | null; until: number }>();

  /** What a token allows; null when it is unknown, revoked or expired. */
  async function look(token: string): Promise<CallerRights | null> {
    const key = createHash('sha256').update(token).digest('base64');
    const known = remembered.get(key);
    if (known !== undefined && known.until > Date.now()) return known.rights;
    remembered.delete(key);
    const found = await authenticateToken(services, token);
    const rights = found === null ? null : rightsOfToken(found);
    if (found === null && tokensRequired) return null;
    if (remembered.size >= REMEMBERED_TOKENS) remembered.clear();
    remembered.set(key, { rights, until: Date.now() + REMEMBERED_MS });
    return rights;
  }

  return {
    async rightsOf(token) {
      const rights = token === null ? null : await look(token);
      // everything is allowed to everybody here, but for commands: those need a token that says so
      if (!tokensRequired) {
        return { role: 'none', mayQueueCommands: rights?.mayQueueCommands ?? false, mayManageQueue: true };
      }
      if (rights !== null) return rights;
      if (token !== null) {
        const message = 'this token is unknown, revoked or expired; an admin can issue another';
        throw new WarrenError('UNAUTHENTICATED', message);
      }
      const advice = '"Authorization: Bearer …", or the connection parameter "token" of a WebSocket';
      throw new WarrenError('UNAUTHENTICATED', `this server needs a token: send ${advice}`);
    },
  };
}

function rightsOfToken({ role, mayQueueCommands, mayManageQueue }: TokenRecord): CallerRights {
  return { role, mayQueueCommands, mayManageQueue: mayManageQueue || role === 'ADMIN' };
}

/** The token in an `Authorization: Bearer …` header; null when there is none. */
export function bearerToken(header: unknown): string | null {
  if (typeof header !== 'string') return null;
  return /^Bearer +([\x21-\x7e]{1,500}) *$/i.exec(header)?.[1] ?? null;
}

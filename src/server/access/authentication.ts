import { createHash } from 'node:crypto';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { CallerRights } from '#src/base/graphql/context.ts';
import { isUnreachable } from '#src/base/graphql/isUnreachable.ts';
import { accessOf, EVERYWHERE } from '#src/people/callerAccess.ts';
import { GROUP_DAYS, type SignInSettings } from '#src/base/platform/signInSettings.ts';
import { isShareSecret, openShareLink } from '#src/sharing/shareLinks.ts';
import { authenticateToken, type GrantedToken } from '#src/people/apiTokens.ts';
import { rightsWithinMaker } from '#src/people/ownTokens.ts';
import type { ShareLinkRecord } from '#src/sharing/store/shareLink.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** A revoked token works for this long at most. */
const REMEMBERED_MS = 5_000;
const REMEMBERED_TOKENS = 1_000;

export interface Authenticator {
  /**
   * What a caller may do.
   * @param options.elseAsBefore Whether what the database said of the token before counts while it is away: for those who measure that.
   * @throws WarrenError UNAUTHENTICATED when the token is unknown, revoked or expired, or none came where one is needed.
   */
  rightsOf(token: string | null, options?: { elseAsBefore?: boolean }): Promise<CallerRights>;
}

export interface AuthenticatorOptions {
  services: Pick<ServiceContext, 'db'>;
  /** Whether a caller without a token is refused, rather than allowed everything. */
  tokensRequired: boolean;
  /** How people can sign in instead; null: they cannot. */
  signIn?: Pick<SignInSettings, 'groupDays'> | null;
}

/** Checks tokens, and remembers the answer for a few seconds so that each request does not cost a query. */
export function createAuthenticator({ services, tokensRequired, signIn = null }: AuthenticatorOptions): Authenticator {
  // until: by a clock that nobody puts back
  const remembered = new Map<string, { rights: CallerRights | null; until: number }>();

  /** What a token allows; null when it is unknown, revoked or expired. */
  async function look(token: string, elseAsBefore: boolean): Promise<CallerRights | null> {
    const key = createHash('sha256').update(token).digest('base64');
    const known = remembered.get(key);
    if (known !== undefined && known.until > performance.now()) return known.rights;
    const asked = isShareSecret(token) ? openedBy(token) : grantedTo(token);
    const rights = await asked.catch((error: unknown) => {
      if (elseAsBefore && known !== undefined && isUnreachable(error)) return known.rights;
      throw error;
    });
    remembered.delete(key);
    if (rights === null && tokensRequired) return null;
    if (remembered.size >= REMEMBERED_TOKENS) remembered.clear();
    remembered.set(key, { rights, until: performance.now() + REMEMBERED_MS });
    return rights;
  }

  async function grantedTo(token: string): Promise<CallerRights | null> {
    const known = await authenticateToken(services, token);
    const found =
      known?.isOwn === true ? await rightsWithinMaker(services, known, signIn?.groupDays ?? GROUP_DAYS) : known;
    return found === null ? null : rightsOfToken(found);
  }

  async function openedBy(secret: string): Promise<CallerRights | null> {
    const link = await openShareLink(services, secret);
    return link === null ? null : rightsOfLink(link);
  }

  return {
    async rightsOf(token, { elseAsBefore = false } = {}) {
      const rights = token === null ? null : await look(token, elseAsBefore);
      // a link shows as much as it does, wherever it is used
      if (token !== null && isShareSecret(token)) {
        if (rights !== null) return rights;
        throw new WarrenError('UNAUTHENTICATED', 'this link was withdrawn or has expired; ask who gave it to you');
      }
      // everything is allowed to everybody here, but for commands: those need a token that says so
      if (!tokensRequired) {
        const actor = rights?.actor ?? { kind: 'anybody', name: '' };
        const mayQueueCommands = rights?.mayQueueCommands ?? false;
        return { ...EVERYWHERE, role: 'none', mayQueueCommands, mayManageQueue: true, actor };
      }
      if (rights !== null) return rights;
      if (token !== null) {
        const message = 'this token is unknown, revoked or expired; an admin can issue another';
        throw new WarrenError('UNAUTHENTICATED', message);
      }
      const advice = '"Authorization: Bearer …", or the connection parameter "token" of a WebSocket';
      throw new WarrenError(
        'UNAUTHENTICATED',
        `this server needs a token: send ${advice}${signIn !== null ? '; people sign in at /auth/sign-in' : ''}`,
      );
    },
  };
}

function rightsOfToken({ name, role, namedProjects, ...token }: GrantedToken): CallerRights {
  return {
    ...accessOf({ ...token, role: namedProjects ? null : role }),
    actor: { kind: 'token', name, id: token.id, ...(token.isOwn ? { person: token.madeBy } : {}) },
  };
}

function rightsOfLink({ id, title }: ShareLinkRecord): CallerRights {
  const nothing = { kind: 'projects', projects: [] } as const;
  return {
    ...{ role: 'READ', mayQueueCommands: false, mayManageQueue: false },
    ...{ reads: { kind: 'share', share: id }, writes: nothing, commands: nothing, administers: nothing },
    actor: { kind: 'share', name: title },
  };
}

/** The token in an `Authorization: Bearer …` header; null when there is none. */
export function bearerToken(header: unknown): string | null {
  if (typeof header !== 'string') return null;
  return /^Bearer +([\x21-\x7e]{1,500}) *$/i.exec(header)?.[1] ?? null;
}

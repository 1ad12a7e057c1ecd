import { randomBytes } from 'node:crypto';
import { listGrants } from '#src/people/store/accessGrant.ts';
import {
  deleteSession,
  deleteSessionByHash,
  findSession,
  findSessionByHash,
  insertSession,
  rotateSession,
  type SessionRecord,
  touchSession,
} from '#src/people/store/userSession.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import type { Actor } from '#src/audit/auditLog.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { hashToken } from './apiTokens.ts';
import { type Access, accessOf } from './callerAccess.ts';
import { personName } from './personName.ts';

/** How long sessions last, in seconds. */
export interface SessionTimes {
  /** From signing in. */
  most: number;
  /** Without a request. */
  idle: number;
  /** With one secret. */
  rotation: number;
  /** In which the secret before still counts, for requests that were under way. */
  grace: number;
}

/** Who is signed in, and what the person may do. */
export interface SignedIn {
  sessionId: string;
  userId: string;
  actor: Actor;
  access: Access;
  /** What the browser is to keep instead of the secret that it sent; null: the same. */
  newSecret: string | null;
}

type Context = Pick<ServiceContext, 'db'>;

const PREFIX = 'warren_session_';
const SECRET = /^warren_session_[\w-]{43}$/;

function newSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/**
 * Begins a session, and ends the one before.
 * @param before The secret that the browser has had; null where it had none.
 * @returns the secret of the new one, which is kept as its sha256 alone.
 */
export async function startSession(
  context: Context,
  { userId, before }: { userId: string; before: string | null },
  times: SessionTimes,
): Promise<string> {
  const secret = newSecret();
  await inTransaction(context.db, async (connection) => {
    if (before !== null) await deleteSessionByHash(connection, hashToken(before));
    await insertSession(connection, {
      ...{ userId, tokenHash: hashToken(secret) },
      ...{ seconds: times.most, idleSeconds: times.idle },
    });
  });
  return secret;
}

/**
 * Whose session a secret is; null where it is none that holds. One that has served for `rotation` is replaced. A secret that was
 * replaced and comes after `grace` has two owners: the session ends for both.
 */
export async function resumeSession({ db }: Context, secret: string, times: SessionTimes): Promise<SignedIn | null> {
  if (!SECRET.test(secret)) return null;
  const hash = hashToken(secret);
  const session = await findSessionByHash(db, hash, times.idle);
  if (session === null) return null;
  if (!session.isCurrent) {
    if (session.secondsSinceRotation <= times.grace) return await signedIn(db, session, null);
    await deleteSession(db, session.id);
    return null;
  }
  if (session.secondsSinceRotation >= times.rotation) {
    const next = newSecret();
    const isMine = await rotateSession(db, { id: session.id, from: hash, to: hashToken(next) });
    return await signedIn(db, session, isMine ? next : null);
  }
  if (session.isUseStale) await touchSession(db, session.id);
  return await signedIn(db, session, null);
}

/** What somebody may do now whose session was resumed before; null when it has ended. */
export async function lookAtSession({ db }: Context, id: string, times: SessionTimes): Promise<SignedIn | null> {
  const session = await findSession(db, id, times.idle);
  return session === null ? null : await signedIn(db, session, null);
}

/** Ends a session. */
export async function endSession({ db }: Context, id: string): Promise<void> {
  await deleteSession(db, id);
}

async function signedIn(
  db: Context['db'],
  { id, userId, role, mayQueueCommands, ...person }: SessionRecord,
  secret: string | null,
): Promise<SignedIn> {
  const grants = await listGrants(db, 'user', [userId]);
  return {
    ...{ sessionId: id, userId, newSecret: secret },
    actor: { kind: 'user', name: personName({ ...person, id: userId }), id: userId },
    access: accessOf({ role, mayQueueCommands, mayManageQueue: false, grants }),
  };
}

import { createHash, randomBytes } from 'node:crypto';
import { badInput, WarrenError } from '#src/contracts/errors.ts';
import { inTransaction } from '#src/store/database/connection.ts';
import {
  insertToken,
  moveTokenEnd,
  selectTokens,
  type TokenRecord,
  type TokenRole,
  voidToken,
  touchToken,
} from '#src/store/records/tokenRecord.ts';
import { checkedName } from '../runs/runFields.ts';
import type { ServiceContext } from '../serviceContext.ts';

/** What a token is kept as. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Makes a token; it is shown this once, and kept as its sha256 alone.
 * @param input.expiresAt Null for one that holds until it is revoked.
 * @throws WarrenError CONFLICT when a token of that name holds.
 */
export async function issueToken(
  context: Pick<ServiceContext, 'db'>,
  input: {
    name: string;
    role: TokenRole;
    mayQueueCommands?: boolean;
    mayManageQueue?: boolean;
    expiresAt?: Date | null | undefined;
  },
): Promise<{ token: string; record: TokenRecord }> {
  const name = checkedName(input.name, 'name');
  const expiresAt = input.expiresAt ?? null;
  if (expiresAt !== null && !(expiresAt.getTime() > Date.now())) {
    throw badInput(`expiresAt: expected a time in the future, received ${String(input.expiresAt)}`, 'expiresAt');
  }
  const { role, mayQueueCommands = false, mayManageQueue = false } = input;
  const token = `warren_${randomBytes(32).toString('base64url')}`;
  const record = await inTransaction(context.db, (connection) =>
    insertToken(connection, { name, tokenHash: hashToken(token), role, mayQueueCommands, mayManageQueue, expiresAt }),
  );
  if (record === null) throw new WarrenError('CONFLICT', `there is a token "${name}" already`, { path: 'name' });
  return { token, record };
}

/** All tokens, the newest first, revoked ones too. */
export async function listTokens(context: Pick<ServiceContext, 'db'>): Promise<TokenRecord[]> {
  return await selectTokens(context.db);
}

/** Gives a token that is not revoked another end; nothing happens when there is none. */
export async function extendToken(context: Pick<ServiceContext, 'db'>, id: string, expiresAt: Date): Promise<void> {
  await moveTokenEnd(context.db, id, expiresAt);
}

/** Makes a token void. @throws WarrenError NOT_FOUND when none of that name holds. */
export async function revokeToken(context: Pick<ServiceContext, 'db'>, name: string): Promise<TokenRecord> {
  const record = await voidToken(context.db, name);
  if (record === null) throw new WarrenError('NOT_FOUND', `no token "${name}" holds`, { path: 'name' });
  return record;
}

/** Who a token belongs to and what it allows; null when it is unknown, revoked or expired. */
export async function authenticateToken(
  context: Pick<ServiceContext, 'db'>,
  token: string,
): Promise<TokenRecord | null> {
  return await touchToken(context.db, hashToken(token));
}

import { type TokenRecord, touchToken } from '#src/store/records/tokenRecord.ts';
import { hashToken } from './issueToken.ts';
import type { ServiceContext } from '../serviceContext.ts';

/** Who a token belongs to and what it allows; null when it is unknown, revoked or expired. */
export async function authenticateToken(
  context: Pick<ServiceContext, 'db'>,
  token: string,
): Promise<TokenRecord | null> {
  return await touchToken(context.db, hashToken(token));
}

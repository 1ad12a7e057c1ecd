import { isUserEnabled } from '#src/people/store/appUser.ts';
import { tokenHolds } from '#src/people/store/tokenRecord.ts';
import type { Actor } from '#src/audit/auditLog.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** A token or a person that was given something to use later, such as an address to upload to. */
export interface Holder {
  kind: 'token' | 'user';
  id: string;
}

/** Who of the callers can be shut out later; null for others. */
export function holderOf({ kind, id }: Actor): Holder | null {
  return (kind === 'token' || kind === 'user') && id !== undefined ? { kind, id } : null;
}

/** Whether a token is neither revoked nor expired, a person not shut out. */
export async function holderStands({ db }: Pick<ServiceContext, 'db'>, { kind, id }: Holder): Promise<boolean> {
  return kind === 'token' ? await tokenHolds(db, id) : await isUserEnabled(db, id);
}

import type { UserRecord } from '#src/people/store/appUser.ts';

/**
 * By what a person is called among others: the address, where the provider has verified it. Anybody can claim another's address and
 * name, so what is not verified stands beside the first part of the id and says so.
 */
export function personName({
  id,
  email,
  emailVerified,
  name,
}: Pick<UserRecord, 'id' | 'email' | 'emailVerified' | 'name'>): string {
  if (emailVerified && email !== '') return email;
  return `${email || name || 'somebody'} (unverified, ${id.slice(0, 8)})`;
}

/** An address that can name a person: printable ASCII, with one at sign. */
export function isPlainAddress(address: string): boolean {
  return /^[!-?A-~]+@[a-z0-9.-]+$/i.test(address);
}

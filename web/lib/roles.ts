/** As the API has them. */
export type Role = 'READ' | 'WRITE' | 'ADMIN';

/** What the API's roles are called in the dashboard, the least first. */
const NAMES: Readonly<Record<Role, string>> = { READ: 'May read', WRITE: 'May write', ADMIN: 'Admin' };
/** What each allows. */
const MEANINGS: Readonly<Record<Role, string>> = {
  READ: 'sees the runs',
  WRITE: 'queues, logs and changes runs, too',
  ADMIN: 'makes tokens and links for it, too',
};

export const ROLES: readonly Role[] = ['READ', 'WRITE', 'ADMIN'];

/** `May write`. */
export function roleName(role: Role): string {
  return NAMES[role];
}

/** `May write: queues, logs and changes runs, too`. */
export function roleMeaning(role: Role): string {
  return `${NAMES[role]}: ${MEANINGS[role]}`;
}

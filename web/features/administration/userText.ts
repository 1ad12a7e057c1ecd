import type { UserRow } from './useUsers.ts';
import { type Role, roleName } from '#web/lib/roles.ts';

/** The host of the provider that knows the person. */
export function providerOf({ issuer }: Pick<UserRow, 'issuer'>): string {
  return URL.parse(issuer)?.host ?? issuer;
}

/** What somebody may do, a line a project: `papers: May write, commands (by a group)`. */
export function rightsOf({ role, mayQueueCommands, grants }: UserRow): string[] {
  const everywhere = role === null ? [] : [`all projects: ${words(role, mayQueueCommands)} (by a group)`];
  const some = grants.map((grant) => {
    const why = grant.byGroup ? ' (by a group)' : '';
    return `${grant.project}: ${words(grant.role, grant.mayQueueCommands)}${why}`;
  });
  return [...everywhere, ...some];
}

/** `May write, commands`. */
export function words(role: Role, commands: boolean): string {
  return commands ? `${roleName(role)}, commands` : roleName(role);
}

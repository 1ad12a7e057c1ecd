import { type DataScope, keyOfScope } from '#src/base/platform/postgres/scopedDatabase.ts';
import type { GrantRecord } from '#src/people/store/accessGrant.ts';
import type { TokenRole } from '#src/people/store/tokenRecord.ts';

/** Where a caller may do what: in some projects, or everywhere where it is null. */
export interface AccessScopes {
  reads: DataScope | null;
  writes: DataScope | null;
  /** Where workers execute commands that the caller queues. */
  commands: DataScope | null;
  /** Whose tokens, links and audit log are the caller's business. */
  administers: DataScope | null;
}

/** Of a caller who may do everything everywhere, as far as the role goes. */
export const EVERYWHERE: AccessScopes = { reads: null, writes: null, commands: null, administers: null };

/** What a token or a user may do. */
export interface Access extends AccessScopes {
  /** The most that the caller may do anywhere; `ADMIN` only where it holds everywhere. */
  role: TokenRole;
  mayQueueCommands: boolean;
  mayManageQueue: boolean;
}

export interface AccessFacts {
  /** What holds in all projects; null where only the grants say. */
  role: TokenRole | null;
  mayQueueCommands: boolean;
  mayManageQueue: boolean;
  grants: readonly Pick<GrantRecord, 'projectId' | 'role' | 'mayQueueCommands'>[];
}

const RANK: Readonly<Record<TokenRole, number>> = { READ: 1, WRITE: 2, ADMIN: 3 };

/** Puts together what holds in all projects and what holds in some. */
export function accessOf({ role, mayQueueCommands, mayManageQueue, grants }: AccessFacts): Access {
  const inProjects = (holds: (grant: AccessFacts['grants'][number]) => boolean): DataScope => ({
    kind: 'projects',
    projects: [...new Set(grants.filter(holds).map(({ projectId }) => projectId))].toSorted(),
  });
  const atLeast = (needed: TokenRole): DataScope | null =>
    role !== null && RANK[role] >= RANK[needed] ? null : inProjects((grant) => RANK[grant.role] >= RANK[needed]);
  const writes = atLeast('WRITE');
  const commands =
    writes === null && mayQueueCommands
      ? null
      : inProjects((grant) => grant.mayQueueCommands && RANK[grant.role] >= RANK.WRITE);
  const writesSomewhere = isSomewhere(writes);
  return {
    reads: atLeast('READ'),
    writes,
    commands,
    administers: atLeast('ADMIN'),
    role: role === 'ADMIN' ? 'ADMIN' : writesSomewhere ? 'WRITE' : 'READ',
    mayQueueCommands: isSomewhere(commands),
    mayManageQueue: role !== null && (mayManageQueue || role === 'ADMIN'),
  };
}

/** Whether a scope holds anything. */
export function isSomewhere(scope: DataScope | null): boolean {
  return scope === null || scope.kind === 'share' || scope.projects.length > 0;
}

/** Whether a scope holds in all of these projects. */
export function coversProjects(scope: DataScope | null, projects: readonly string[]): boolean {
  if (scope === null) return true;
  return scope.kind === 'projects' && projects.every((id) => scope.projects.includes(id));
}

/** The same for callers who may do the same. */
export function keyOfAccess({ reads, writes, commands, administers }: AccessScopes): string {
  return [reads, writes, commands, administers].map(keyOfScope).join('; ');
}

import { createHash, randomBytes } from 'node:crypto';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import type { DataScope } from '#src/base/platform/postgres/scopedDatabase.ts';
import { type GrantRecord, listGrants, putGrants } from '#src/people/store/accessGrant.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { findProjectByName, listProjectNames } from '#src/projects/store/projectRecord.ts';
import {
  insertToken,
  moveTokenEnd,
  selectTokens,
  type TokenRecord,
  type TokenRole,
  voidToken,
  touchToken,
} from '#src/people/store/tokenRecord.ts';
import { coversProjects } from './callerAccess.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';
import type { Actor } from '#src/audit/auditLog.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** What a token is kept as. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The text of a token that nobody has yet. */
export function newToken(): string {
  return `warren_${randomBytes(32).toString('base64url')}`;
}

/** A token with what it may do in which projects; empty where its role holds in all. */
export interface GrantedToken extends TokenRecord {
  grants: GrantRecord[];
}

/** What is to hold in one project. */
export interface NewGrant {
  /** Name of the project. */
  project: string;
  role: TokenRole;
  mayQueueCommands?: boolean;
}

export interface IssueTokenInput {
  name: string;
  role: TokenRole;
  mayQueueCommands?: boolean;
  mayManageQueue?: boolean;
  /** Where it works, and as what; in all projects with its role when left out. */
  grants?: readonly NewGrant[] | null | undefined;
  /** Null for one that holds until it is revoked. */
  expiresAt?: Date | null | undefined;
  /** Who makes it; left out: the command line. */
  maker?: Pick<Actor, 'kind' | 'name' | 'id'>;
}

const MOST_GRANTS = 100;

/**
 * Makes a token; it is shown this once, and kept as its sha256 alone.
 * @param by Where the caller administers; everywhere when null.
 * @throws WarrenError CONFLICT when a token of that name holds, NOT_FOUND for an unknown project, FORBIDDEN where the caller
 *   does not administer the projects.
 */
export async function issueToken(
  context: Pick<ServiceContext, 'db'>,
  input: IssueTokenInput,
  by: DataScope | null = null,
): Promise<{ token: string; record: GrantedToken }> {
  const name = checkedName(input.name, 'name');
  const expiresAt = input.expiresAt ?? null;
  if (expiresAt !== null && !(expiresAt.getTime() > Date.now())) {
    throw badInput(`expiresAt: expected a time in the future, received ${String(input.expiresAt)}`, 'expiresAt');
  }
  const { role, mayQueueCommands = false, mayManageQueue = false } = input;
  const wanted = input.grants ?? null;
  if (wanted !== null && mayManageQueue) {
    throw badInput('the queue is of the whole server: a token for some projects cannot manage it', 'grants');
  }
  const token = newToken();
  const record = await inTransaction(context.db, async (connection) => {
    if (wanted === null && by !== null) {
      const message = 'who administers some projects makes tokens for these alone: name them in grants';
      throw new WarrenError('FORBIDDEN', message, { path: 'grants' });
    }
    const grants = wanted === null ? null : await checkedGrants(connection, wanted, by);
    const made = await insertToken(connection, {
      ...{ name, tokenHash: hashToken(token), role, mayManageQueue, expiresAt },
      mayQueueCommands: wanted === null && mayQueueCommands,
      namedProjects: grants !== null,
      isOwn: false,
      makerId: input.maker?.id ?? null,
      madeBy: input.maker === undefined ? 'command line' : input.maker.name || input.maker.kind,
    });
    if (made === null) return null;
    await putGrants(
      connection,
      'token',
      (grants ?? []).map((grant) => ({ ...grant, ownerId: made.id, byGroup: false })),
    );
    return { ...made, grants: await listGrants(connection, 'token', [made.id]) };
  });
  if (record === null) throw new WarrenError('CONFLICT', `there is a token "${name}" already`, { path: 'name' });
  return { token, record };
}

/**
 * Grants with the ids of their projects.
 * @param by Where the caller administers, who is told nothing of other projects; everywhere when null.
 * @throws WarrenError BAD_INPUT for none, too many or two of one project, NOT_FOUND for an unknown project.
 */
export async function checkedGrants(
  connection: Connection,
  wanted: readonly NewGrant[],
  by: DataScope | null,
): Promise<{ projectId: string; role: TokenRole; mayQueueCommands: boolean }[]> {
  if (wanted.length === 0 || wanted.length > MOST_GRANTS) {
    throw badInput(`grants: expected 1 to ${MOST_GRANTS} projects, received ${wanted.length}`, 'grants');
  }
  const grants: Awaited<ReturnType<typeof checkedGrants>> = [];
  for (const [index, { project, role, mayQueueCommands = false }] of wanted.entries()) {
    const path = `grants[${index}]`;
    const found = await findProjectByName(connection, checkedName(project, `${path}.project`));
    if (found === null || !coversProjects(by, [found.id])) {
      const hint = by === null ? didYouMean(project, await listProjectNames(connection)) : '';
      const way = ' `warren project create` makes one.';
      throw new WarrenError('NOT_FOUND', `there is no project "${project}".${hint}${way}`, { path });
    }
    if (grants.some(({ projectId }) => projectId === found.id)) {
      throw badInput(`${path}: project "${project}" is given twice`, path);
    }
    if (mayQueueCommands && role === 'READ') {
      throw badInput(`${path}: who only reads "${project}" cannot queue commands there; give WRITE`, path);
    }
    grants.push({ projectId: found.id, role, mayQueueCommands });
  }
  return grants;
}

/** All tokens that work nowhere but where the caller administers, the newest first, revoked ones too. */
export async function listTokens(
  context: Pick<ServiceContext, 'db'>,
  by: DataScope | null = null,
): Promise<GrantedToken[]> {
  const tokens = await selectTokens(context.db);
  const named = tokens.filter((token) => token.namedProjects).map(({ id }) => id);
  const grants = await listGrants(context.db, 'token', named);
  const granted = tokens.map((token) => ({ ...token, grants: grants.filter(({ ownerId }) => ownerId === token.id) }));
  return granted.filter((token) => by === null || isWithin(by, token));
}

function isWithin(by: DataScope, { namedProjects, grants }: GrantedToken): boolean {
  return (
    namedProjects &&
    grants.length > 0 &&
    coversProjects(
      by,
      grants.map(({ projectId }) => projectId),
    )
  );
}

/** Gives a token that is not revoked another end; nothing happens when there is none. */
export async function extendToken(context: Pick<ServiceContext, 'db'>, id: string, expiresAt: Date): Promise<void> {
  await moveTokenEnd(context.db, id, expiresAt);
}

/**
 * Makes a token void.
 * @param by Where the caller administers; everywhere when null.
 * @throws WarrenError NOT_FOUND when none of that name holds, or not only there.
 */
export async function revokeToken(
  context: Pick<ServiceContext, 'db'>,
  name: string,
  by: DataScope | null = null,
): Promise<GrantedToken> {
  const known = by === null ? true : (await listTokens(context, by)).some((token) => token.name === name);
  const record = known ? await voidToken(context.db, name) : null;
  if (record === null) throw new WarrenError('NOT_FOUND', `there is no valid token "${name}"`, { path: 'name' });
  return { ...record, grants: await listGrants(context.db, 'token', [record.id]) };
}

/** Who a token belongs to and what it allows; null when it is unknown, revoked or expired. */
export async function authenticateToken(
  context: Pick<ServiceContext, 'db'>,
  token: string,
): Promise<GrantedToken | null> {
  const found = await touchToken(context.db, hashToken(token));
  if (found === null) return null;
  return { ...found, grants: found.namedProjects ? await listGrants(context.db, 'token', [found.id]) : [] };
}

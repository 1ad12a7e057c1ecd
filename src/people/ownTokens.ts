import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { listGrants, putGrants } from '#src/people/store/accessGrant.ts';
import { findUser } from '#src/people/store/appUser.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { insertToken, listOwnTokenRecords, type TokenRole, voidOwnToken } from '#src/people/store/tokenRecord.ts';
import { type AccessScopes, coversProjects, isSomewhere } from './callerAccess.ts';
import type { Actor } from '#src/audit/auditLog.ts';
import { personName } from './personName.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { checkedGrants, type GrantedToken, hashToken, newToken } from './apiTokens.ts';

type Context = Pick<ServiceContext, 'db'>;

/** Somebody who is signed in. */
export interface Person {
  id: string;
  /** The address. */
  name: string;
}

export interface OwnTokenInput {
  /** Told apart from other people's by the address before it. */
  name: string;
  /** The most that it may; never more than the person. `ADMIN` is for tokens that admins make. */
  role: TokenRole;
  /** Names of the projects in which alone it works; wherever the person may when null. */
  projects?: readonly string[] | null | undefined;
  expiresAt: Date;
}

const DAY_MS = 24 * 3600 * 1000;
const LONGEST_DAYS = 366;
/** Of one person, that hold. */
const MOST_TOKENS = 50;

/** The person who is signed in. @throws WarrenError FORBIDDEN for everybody else, tokens of people among them. */
export function requirePerson({ kind, id, name }: Actor): Person {
  if (kind === 'user' && id !== undefined) return { id, name };
  throw new WarrenError('FORBIDDEN', 'tokens of one’s own are for people who are signed in in a browser');
}

/**
 * Makes a token that acts as the person may at the time, and never more; its text is shown this once.
 * @param may What the person may do now.
 * @throws WarrenError BAD_INPUT for `ADMIN` or an end that is too far, FORBIDDEN for more than the person may, NOT_FOUND for a
 *   project that the person does not see, CONFLICT for a name that holds, or too many.
 */
export async function issueOwnToken(
  { db }: Context,
  { name, role, projects = null, expiresAt }: OwnTokenInput,
  { person, may }: { person: Person; may: Pick<AccessScopes, 'reads' | 'writes'> },
): Promise<{ token: string; record: GrantedToken }> {
  const named = checkedName(name, 'name');
  const ahead = expiresAt.getTime() - Date.now();
  if (!(ahead > 0 && ahead <= LONGEST_DAYS * DAY_MS)) {
    throw badInput(`expiresAt: expected a time in the next ${LONGEST_DAYS} days`, 'expiresAt');
  }
  if (role === 'ADMIN') throw badInput('role: a token of one’s own has READ or WRITE; admins make others', 'role');
  if (role === 'WRITE' && !isSomewhere(may.writes)) throw moreThanOwn('role', 'you may write nowhere: take READ');
  const token = newToken();
  const record = await inTransaction(db, async (connection) => {
    const wanted = projects?.map((project) => ({ project, role })) ?? null;
    const grants = wanted === null ? [] : await checkedGrants(connection, wanted, may.reads);
    for (const [index, { projectId }] of grants.entries()) {
      if (role === 'READ' || coversProjects(may.writes, [projectId])) continue;
      throw moreThanOwn(`projects[${index}]`, `you only read "${projects?.[index]}": take READ`);
    }
    const held = (await listOwnTokenRecords(connection, person.id)).filter(holds);
    if (held.length >= MOST_TOKENS) {
      throw new WarrenError('CONFLICT', `you have ${MOST_TOKENS} tokens: withdraw one first`, { path: 'name' });
    }
    const made = await insertToken(connection, {
      ...{ name: `${person.name}/${named}`, tokenHash: hashToken(token), role, expiresAt },
      ...{ mayQueueCommands: false, mayManageQueue: false, namedProjects: wanted !== null },
      ...{ makerId: person.id, madeBy: person.name, isOwn: true },
    });
    if (made === null) {
      throw new WarrenError('CONFLICT', `you have a token "${named}" already`, { path: 'name' });
    }
    await putGrants(
      connection,
      'token',
      grants.map((grant) => ({ ...grant, ownerId: made.id, byGroup: false })),
    );
    return { ...made, grants: await listGrants(connection, 'token', [made.id]) };
  });
  return { token, record };
}

/** The tokens that a person has made for themselves, the newest first, void ones too. */
export async function listOwnTokens({ db }: Context, { id }: Person): Promise<GrantedToken[]> {
  const tokens = await listOwnTokenRecords(db, id);
  const grants = await listGrants(
    db,
    'token',
    tokens.map((token) => token.id),
  );
  return tokens.map((token) => ({ ...token, grants: grants.filter(({ ownerId }) => ownerId === token.id) }));
}

/** Makes a token void that the person has made for themselves. @throws WarrenError NOT_FOUND when none of that name holds. */
export async function revokeOwnToken({ db }: Context, name: string, { id }: Person): Promise<GrantedToken> {
  const record = await voidOwnToken(db, name, id);
  if (record === null) throw new WarrenError('NOT_FOUND', `you have no valid token "${name}"`, { path: 'name' });
  return { ...record, grants: await listGrants(db, 'token', [record.id]) };
}

/**
 * What a token allows that acts as its maker: what both may. Null where the maker is not there any more.
 * @param groupDays What the maker's groups give counts for so long after they were asked, at the last sign-in.
 * @throws WarrenError UNAUTHENTICATED where nothing is left because that was longer ago.
 */
export async function rightsWithinMaker(
  { db }: Context,
  token: GrantedToken,
  groupDays: number,
): Promise<GrantedToken | null> {
  const found = token.makerId === null ? null : await findUser(db, token.makerId);
  if (found === null) return null;
  const asked = found.signedInAt?.getTime() ?? 0;
  const isOld = Date.now() - asked > groupDays * DAY_MS;
  const maker = isOld ? { ...found, role: null } : found;
  const theirs = (await listGrants(db, 'user', [maker.id])).filter(({ byGroup }) => !(isOld && byGroup));
  if (isOld && theirs.length === 0) {
    const message = `the groups of ${personName(found)} were last asked more than ${groupDays} days ago: sign in at the dashboard once, and this token works again`;
    throw new WarrenError('UNAUTHENTICATED', message);
  }
  const nothingMore = { mayQueueCommands: false, mayManageQueue: false };
  if (!token.namedProjects) {
    const role = maker.role === null ? null : lower(maker.role, token.role);
    const grants = theirs.map((grant) => ({
      ...{ ...grant, ownerId: token.id, mayQueueCommands: false },
      role: lower(grant.role, token.role),
    }));
    return { ...token, ...nothingMore, role: role ?? token.role, namedProjects: role === null, grants };
  }
  const grants = token.grants.flatMap((grant) => {
    const roles = theirs.filter(({ projectId }) => projectId === grant.projectId).map(({ role }) => role);
    const most = [...roles, ...(maker.role === null ? [] : [maker.role])];
    return most.map((role) => ({ ...grant, mayQueueCommands: false, role: lower(role, grant.role) }));
  });
  return { ...token, ...nothingMore, grants };
}

const RANK: Readonly<Record<TokenRole, number>> = { READ: 1, WRITE: 2, ADMIN: 3 };

function lower(one: TokenRole, other: TokenRole): TokenRole {
  return RANK[one] < RANK[other] ? one : other;
}

function holds({ revokedAt, expiresAt }: Pick<GrantedToken, 'revokedAt' | 'expiresAt'>): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > Date.now());
}

function moreThanOwn(path: string, why: string): WarrenError {
  return new WarrenError('FORBIDDEN', `a token of one’s own allows what one may do oneself: ${why}`, { path });
}

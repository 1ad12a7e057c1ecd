import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { asciiLowerCase } from '#src/base/lib/asciiLowerCase.ts';
import type { DataScope } from '#src/base/platform/postgres/scopedDatabase.ts';
import type { GroupRights, SignInSettings } from '#src/base/platform/signInSettings.ts';
import { deleteUserGrants, type GrantRecord, listGrants, putGrants } from '#src/people/store/accessGrant.ts';
import {
  findUser,
  findUsersByAddress,
  listUsers,
  putUser,
  setUserCommands,
  setUserDisabled,
  type UserRecord,
} from '#src/people/store/appUser.ts';
import { listMadeByUsers } from '#src/people/store/madeByUsers.ts';
import { withdrawLinksOf } from '#src/sharing/store/shareLink.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { findProjectByName } from '#src/projects/store/projectRecord.ts';
import { type TokenRole, voidTokensOf } from '#src/people/store/tokenRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { checkedGrants, type NewGrant } from './apiTokens.ts';
import { coversProjects } from './callerAccess.ts';
import { isPlainAddress, personName } from './personName.ts';

type Context = Pick<ServiceContext, 'db'>;

/** A user with what the person may do in which projects, by groups and as admins gave it, and has made. */
export interface GrantedUser extends UserRecord {
  /** By what the person is called among others. */
  label: string;
  grants: GrantRecord[];
  /** Names of tokens that hold: the person's, and those that these have made. */
  tokens: string[];
  /** How many links the person and these tokens have made that hold. */
  links: number;
}

/** What the provider says of who signs in. */
export interface Identity {
  subject: string;
  email: string;
  /** Whether the provider has made sure that the address is the person's. */
  emailVerified: boolean;
  name: string;
  groups: readonly string[];
}

const RANK: Readonly<Record<TokenRole, number>> = { READ: 1, WRITE: 2, ADMIN: 3 };

/**
 * Keeps who signs in, with the role and the grants that the groups give from now on.
 * @throws WarrenError FORBIDDEN where the person may not come in: of another domain, disabled, or without any right.
 */
export async function admitUser(
  context: Context,
  settings: Pick<SignInSettings, 'issuer' | 'domains' | 'roles' | 'defaultRole'>,
  identity: Identity,
): Promise<UserRecord> {
  refuseOddNames(identity);
  refuseOtherDomains(settings.domains, identity);
  const { role, projects } = rightsByGroups(settings, identity);
  const { subject, email, emailVerified, name } = identity;
  const { user, granted } = await inTransaction(context.db, async (connection) => {
    const kept = await putUser(connection, { issuer: settings.issuer, subject, email, emailVerified, name, role });
    await deleteUserGrants(connection, kept.id, { byGroup: true });
    const grants = [];
    for (const [project, right] of projects) {
      const found = await findProjectByName(connection, project); // one that is not there yet gives nothing
      if (found === null) continue;
      grants.push({ ownerId: kept.id, projectId: found.id, role: right, mayQueueCommands: false, byGroup: true });
    }
    await putGrants(connection, 'user', grants);
    return { user: kept, granted: await listGrants(connection, 'user', [kept.id]) };
  });
  if (user.disabledAt !== null) {
    throw new WarrenError('FORBIDDEN', `${personName(user)} was disabled here; ask an admin of this server`);
  }
  if (user.role === null && granted.length === 0) {
    const who = user.emailVerified ? user.email : user.id;
    const advice = `an admin gives one by a group, or by: warren user grant ${who} --project NAME=READ`;
    throw new WarrenError('FORBIDDEN', `${personName(user)} has no role on this server: ${advice}`);
  }
  return user;
}

/** What is written down of who was refused before anything was kept. */
export function identityName({ email, emailVerified, name, subject }: Identity): string {
  return emailVerified && email !== '' ? email : `${email || name || 'somebody'} (unverified, subject ${subject})`;
}

/** Characters that look alike, fold into one another or are replaced in the database must not make two people one. */
function refuseOddNames({ subject, email }: Identity): void {
  if (email !== '' && !isPlainAddress(email)) {
    const message = `the provider gives the address ${JSON.stringify(email)}: this server takes addresses of printable ASCII characters alone`;
    throw new WarrenError('FORBIDDEN', message);
  }
  if (!/[\p{Cc}\p{Cs}]/u.test(subject)) return;
  throw new WarrenError('FORBIDDEN', `the provider's id of this account has characters that no id has (claim sub)`);
}

function refuseOtherDomains(domains: readonly string[], { email, emailVerified }: Identity): void {
  if (domains.length === 0) return;
  if (!emailVerified) {
    const message = `the provider does not say that it has verified the address "${email}" (email_verified): this server lets in verified addresses alone`;
    throw new WarrenError('FORBIDDEN', message);
  }
  const domain = asciiLowerCase(email.slice(email.lastIndexOf('@') + 1));
  if (email.includes('@') && domains.includes(domain)) return;
  throw new WarrenError(
    'FORBIDDEN',
    `"${email}" may not sign in: this server is for addresses at ${domains.join(', ')}`,
  );
}

/** The most that the groups give, in all projects and in each; the default role where nothing names the person. */
function rightsByGroups(
  { roles, defaultRole }: Pick<SignInSettings, 'roles' | 'defaultRole'>,
  { groups, email, emailVerified, subject }: Identity,
): { role: TokenRole | null; projects: Map<string, TokenRole> } {
  const address = emailVerified ? `user:${asciiLowerCase(email)}` : null;
  const given: GroupRights[] = Object.entries(roles).flatMap(([key, rights]) => {
    if (key.startsWith('user:')) return asciiLowerCase(key) === address ? [rights] : [];
    if (key.startsWith('subject:')) return key === `subject:${subject}` ? [rights] : [];
    return groups.includes(key) ? [rights] : [];
  });
  let role = defaultRole;
  const projects = new Map<string, TokenRole>();
  for (const rights of given) {
    if (typeof rights === 'string') role = higher(role, rights);
    else for (const [name, right] of Object.entries(rights)) projects.set(name, higher(projects.get(name), right));
  }
  return { role, projects };
}

function higher(one: TokenRole | null | undefined, other: TokenRole): TokenRole {
  return one == null || RANK[one] < RANK[other] ? other : one;
}

/** All who have signed in, by address, with their grants. */
export async function listGrantedUsers(context: Context): Promise<GrantedUser[]> {
  const users = await listUsers(context.db);
  return await withGrants(context.db, users);
}

/** What ended with somebody's rights. */
export interface Ended {
  /** Names of tokens. */
  tokens: string[];
  /** How many links. */
  links: number;
}

/**
 * Shuts somebody out at once: sessions end, and tokens and links that the person has made, by these tokens, too.
 * @param keepMade Tokens and links go on.
 * @param by The id of the user who asks.
 * @throws WarrenError NOT_FOUND for an unknown address, CONFLICT for one that several have, or for oneself.
 */
export async function disableUser(
  context: Context,
  user: string,
  { keepMade = false, by = null }: { keepMade?: boolean; by?: string | null } = {},
): Promise<{ user: GrantedUser; ended: Ended }> {
  const ended: Ended = { tokens: [], links: 0 };
  const changed = await changeUser(context, user, async (connection, { id }) => {
    if (id === by) {
      throw new WarrenError('CONFLICT', 'you cannot shut yourself out: another admin does', { path: 'user' });
    }
    await setUserDisabled(connection, id, true);
    if (keepMade) return;
    const { ids, names } = await voidTokensOf(connection, id);
    ended.tokens = names;
    ended.links = await withdrawLinksOf(connection, [id, ...ids]);
  });
  return { user: changed, ended };
}

/**
 * Lets somebody in again who was shut out; tokens and links that ended then stay void.
 * @throws WarrenError NOT_FOUND for an unknown address, CONFLICT for one that several have.
 */
export async function enableUser(context: Context, user: string): Promise<GrantedUser> {
  return await changeUser(context, user, (connection, { id }) => setUserDisabled(connection, id, false));
}

export interface UserGrants {
  /** Given, or replaced. */
  grants: readonly NewGrant[];
  /** Names of projects of which what an admin gave is taken away; what groups give stays. */
  withdraw: readonly string[];
  /** Whether commands may be queued in all projects, where the role that holds there is WRITE; as it is when left out. */
  mayQueueCommands?: boolean | undefined;
}

/** Where workers execute what somebody queues. */
export interface CommandRight {
  mayQueueCommands: boolean;
  /** In these projects; everywhere when null. */
  commands: DataScope | null;
}

/**
 * Gives somebody rights in projects beside what groups give, or takes them away.
 * @param by Who asks: the right to have workers execute programs is given by those alone who have it, so that a token of an admin
 *   does not become one. Null is the command line on the server.
 * @throws WarrenError NOT_FOUND for an unknown person or project, BAD_INPUT for nothing to do, FORBIDDEN for more than `by` has.
 */
export async function grantUser(
  context: Context,
  user: string,
  change: UserGrants,
  by: CommandRight | null = null,
): Promise<GrantedUser> {
  const { grants, withdraw, mayQueueCommands } = change;
  if (grants.length + withdraw.length === 0 && mayQueueCommands === undefined) {
    throw badInput('grants: give a role in a project, such as papers=WRITE', 'grants');
  }
  if (mayQueueCommands === true) requireCommands(by, null);
  return await changeUser(context, user, async (connection, { id }) => {
    const checked = grants.length === 0 ? [] : await checkedGrants(connection, grants, null);
    const taken = withdraw.length === 0 ? [] : await checkedGrants(connection, withdraw.map(asGrant), null);
    for (const grant of checked) if (grant.mayQueueCommands) requireCommands(by, grant.projectId);
    const projectIds = taken.map(({ projectId }) => projectId);
    await deleteUserGrants(connection, id, { byGroup: false, projectIds });
    await putGrants(
      connection,
      'user',
      checked.map((grant) => ({ ...grant, ownerId: id, byGroup: false })),
    );
    if (mayQueueCommands !== undefined) await setUserCommands(connection, id, mayQueueCommands);
  });
}

/** @throws WarrenError FORBIDDEN unless commands may be queued in the project; in all of them when null. */
function requireCommands(by: CommandRight | null, projectId: string | null): void {
  if (by === null) return;
  const has =
    by.mayQueueCommands && (projectId === null ? by.commands === null : coversProjects(by.commands, [projectId]));
  if (has) return;
  const advice = 'on the server, warren user grant ADDRESS --commands gives it to the first';
  throw new WarrenError('FORBIDDEN', `only who may queue commands there gives others that right: ${advice}`);
}

function asGrant(project: string): NewGrant {
  return { project, role: 'READ' };
}

async function changeUser(
  { db }: Context,
  user: string,
  change: (connection: Connection, record: UserRecord) => Promise<void>,
): Promise<GrantedUser> {
  return await inTransaction(db, async (connection) => {
    const found = await requireUser(connection, user);
    await change(connection, found);
    const kept = await findUser(connection, found.id);
    const [changed] = kept === null ? [] : await withGrants(connection, [kept]);
    if (changed === undefined) throw new WarrenError('NOT_FOUND', `there is no user "${user}" any more`);
    return changed;
  });
}

async function requireUser(connection: Connection, user: string): Promise<UserRecord> {
  const wanted = user.trim();
  const byId = await findUser(connection, wanted);
  if (byId !== null) return byId;
  const claimed = await findUsersByAddress(connection, wanted);
  const found = claimed.filter(({ emailVerified }) => emailVerified);
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new WarrenError('CONFLICT', `several users have the address "${user}": name one by its id: ${ids}`, {
      path: 'user',
    });
  }
  const [only] = found;
  if (only !== undefined) return only;
  const claimants = claimed.map(({ id, issuer, subject }) => `${id} (${subject} at ${issuer})`).join(', ');
  const message =
    claimed.length === 0
      ? `there is no user "${user}": who has signed in once is listed by warren user ls`
      : `the provider has not verified the address "${user}", which anybody can claim: make sure who it is, and name the person by the id: ${claimants}`;
  throw new WarrenError('NOT_FOUND', message, { path: 'user' });
}

async function withGrants(connection: Connection, users: readonly UserRecord[]): Promise<GrantedUser[]> {
  const ids = users.map(({ id }) => id);
  const grants = await listGrants(connection, 'user', ids);
  const made = new Map((await listMadeByUsers(connection, ids)).map((one) => [one.userId, one]));
  return users.map((user) => ({
    ...user,
    label: personName(user),
    grants: grants.filter(({ ownerId }) => ownerId === user.id),
    tokens: made.get(user.id)?.tokens ?? [],
    links: made.get(user.id)?.links ?? 0,
  }));
}

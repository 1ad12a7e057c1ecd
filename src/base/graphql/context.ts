import type { AddressGuard } from '#src/base/platform/outgoing/addressGuard.ts';
import type { ArtifactStore } from '../platform/artifacts/artifactStore.ts';
import { WarrenError } from '../contracts/errors.ts';
import type { RunAttempt } from '../contracts/runAttempt.ts';
import type { ExternalLeases } from '#src/external/externalRuns.ts';
import { type DataScope, keyOfScope } from '../platform/postgres/scopedDatabase.ts';
import { type Access, coversProjects } from '#src/people/callerAccess.ts';
import type { Actor } from '#src/audit/auditLog.ts';
import type { ServiceContext } from '../database/serviceContext.ts';
import type { ServerOverview } from '#src/administration/serverOverview.ts';
import type { StorageOverview } from '#src/artifacts/storageOverview.ts';
import type { Capacity } from '../lib/capacity.ts';
import type { ChangeHub } from './changeHub.ts';
import type { Snapshots } from './snapshots.ts';
import { createLoaders, type Loaders } from '#src/graphql/loaders.ts';

/** The most that a caller may do anywhere; `none` where the server asks for no token and everything is allowed. */
export type CallerRole = 'none' | 'READ' | 'WRITE' | 'ADMIN';

/** An operation or a statement that took long. */
export interface SlowWork {
  sort: 'operation' | 'statement';
  what: string;
  milliseconds: number;
  time: Date;
}

/** What is the same for every request of a process. */
export interface GraphqlEnvironment {
  /** Over all data: for callers who may see everything, and for use cases that check by themselves what the caller may. */
  services: ServiceContext;
  /** What callers see who may not see everything: the same services over that data alone. */
  scoped(scope: DataScope): ScopedData;
  artifacts: ArtifactStore;
  /** Signs the addresses under which browsers show artifacts. */
  viewKey: string;
  /** Disk use, at most a little old. */
  storage(): Promise<StorageOverview>;
  changes: ChangeHub;
  /** What subscriptions read together. */
  snapshots: Snapshots;
  /** Warren's own version. */
  version: string;
  /** How the server is, sizes a minute old at most. */
  overview(): Promise<ServerOverview>;
  /** What took long of late, the newest first. */
  slowWork(): SlowWork[];
  /** Whether this server can send e-mail. */
  sendsMail: boolean;
  /** Says where webhooks may lead. */
  outgoingGuard: AddressGuard;
  /** For external runs that ask for no lease of their own; Warren's defaults when undefined. */
  externalLeases?: ExternalLeases | undefined;
  /** Told when what somebody did could not be written down. */
  onAuditFailure(error: unknown, action: string): void;
  /** Told when a subscription could not read and tries again. */
  onRetry(error: unknown): void;
}

/** Use cases over what some callers see, and what their subscriptions read together. */
export interface ScopedData {
  services: ServiceContext;
  snapshots: Snapshots;
}

/**
 * What a token, a user or a link allows. `mayQueueCommands`: whether workers execute commands that the caller queues; its own
 * right, which no role includes. `mayManageQueue`: whether the caller may pause the queue and drain workers: admins, and
 * tokens that were made with this right.
 */
export interface CallerRights extends Omit<Access, 'role'> {
  role: CallerRole;
  /** Who it is. */
  actor: Actor;
}

/** Who asks. */
export interface GraphqlCaller extends CallerRights {
  /** The same for all that use one token, or none where none is needed. */
  id: string;
  /** Of a program that a worker executes: the attempt whose token it has, beyond which it sees and changes nothing. */
  attempt?: RunAttempt | undefined;
  /** Of a request over HTTP: by it the log and the answer name the request. */
  requestId?: string;
  /** Whom runs that it makes name as their maker; null where nobody says. */
  userName?: string | null;
  /** Aborted when the caller has gone: work that only it waits for ends. */
  signal: AbortSignal;
  /** Messages that may be under way to a subscriber at once: one more is read when one of them has left. */
  outlet?: Capacity;
}

/** What resolvers work with: of one request, or of one subscription for as long as it lives. */
export interface GraphqlContext extends GraphqlEnvironment, GraphqlCaller {
  /** Over all data, whatever the caller may see. */
  allServices: ServiceContext;
  /** Replaced at each event of a subscription, so that none is answered from what an earlier one has read. */
  loaders: Loaders;
}

/** A context in which there is what the caller may read. */
export function createGraphqlContext(environment: GraphqlEnvironment, caller: GraphqlCaller): GraphqlContext {
  const data = caller.reads === null ? environment : environment.scoped(caller.reads);
  return {
    ...environment,
    ...caller,
    services: actingFor(caller, data.services),
    snapshots: data.snapshots,
    allServices: environment.services,
    loaders: createLoaders(data.services.db),
  };
}

/** The services, under the name of the caller. */
function actingFor({ userName = null }: Pick<GraphqlCaller, 'userName'>, services: ServiceContext): ServiceContext {
  return { ...services, userName };
}

/** From now on there is in the context what the caller may change, and nothing else. */
export function confineToWrites(context: GraphqlContext): void {
  if (keyOfScope(context.writes) === keyOfScope(context.reads)) return;
  const data = context.writes === null ? { services: context.allServices } : context.scoped(context.writes);
  context.services = actingFor(context, data.services);
  context.loaders = createLoaders(data.services.db);
}

/** Services over what the caller may read, also where a mutation is held to what it may change. */
export function readServices({ reads, scoped, allServices }: GraphqlContext): ServiceContext {
  return reads === null ? allServices : scoped(reads).services;
}

/** Services over the projects where workers execute commands that the caller queues. */
export function commandServices(context: GraphqlContext): ServiceContext {
  const { commands, scoped, allServices } = context;
  return actingFor(context, commands === null ? allServices : scoped(commands).services);
}

/** @throws WarrenError FORBIDDEN unless the caller may see everything: what follows is of the server, not of a project. */
export function requireEverything({ reads }: Pick<CallerRights, 'reads'>, what: string): void {
  if (reads === null) return;
  throw new WarrenError('FORBIDDEN', `${what}: that is of the whole server, and this token is for some projects alone`);
}

const RANK: Readonly<Record<CallerRole, number>> = { READ: 1, WRITE: 2, ADMIN: 3, none: 3 };

/** Whether a caller of this role may do what needs `needed`. */
export function mayDo(role: CallerRole, needed: 'READ' | 'WRITE' | 'ADMIN'): boolean {
  return RANK[role] >= RANK[needed];
}

/** @throws WarrenError FORBIDDEN unless the caller may have workers execute commands, of the project where one is given. */
export function requireCommandRight(
  { mayQueueCommands, commands }: Pick<CallerRights, 'mayQueueCommands' | 'commands'>,
  projectId?: string,
): void {
  if (mayQueueCommands && (projectId === undefined || coversProjects(commands, [projectId]))) return;
  const advice =
    '`warren token create NAME --commands` makes one, `warren up --allow-commands` one for its own machine';
  throw new WarrenError('FORBIDDEN', `queueing commands needs a token that allows it: ${advice}`);
}

/** @throws WarrenError FORBIDDEN unless the caller may pause the queue and drain workers. */
export function requireQueueRight({ mayManageQueue }: Pick<CallerRights, 'mayManageQueue'>): void {
  if (mayManageQueue) return;
  const advice = 'one with role ADMIN, or one made by `warren token create NAME --queue`';
  throw new WarrenError('FORBIDDEN', `pausing the queue and draining workers needs a token that allows it: ${advice}`);
}

import type { ArtifactStore } from '../platform/artifacts/artifactStore.ts';
import { WarrenError } from '../contracts/errors.ts';
import type { RunAttempt } from '../contracts/runAttempt.ts';
import type { ExternalLeases } from '../services/external/externalRuns.ts';
import type { ServiceContext } from '../services/serviceContext.ts';
import type { StorageOverview } from '../services/artifacts/storageOverview.ts';
import type { Capacity } from '../lib/capacity.ts';
import type { ChangeHub } from './changes/changeHub.ts';
import type { Snapshots } from './changes/snapshots.ts';
import { createLoaders, type Loaders } from './loaders/loaders.ts';

/** What a caller may do; `none` where the server asks for no token and everything is allowed. */
export type CallerRole = 'none' | 'READ' | 'WRITE' | 'ADMIN';

/** What is the same for every request of a process. */
export interface GraphqlEnvironment {
  services: ServiceContext;
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
  /** For external runs that ask for no lease of their own; Warren's defaults when undefined. */
  externalLeases?: ExternalLeases | undefined;
  /** Told when a subscription could not read and tries again. */
  onRetry(error: unknown): void;
}

/** What a token allows. */
export interface CallerRights {
  role: CallerRole;
  /** Whether workers execute commands that the caller queues; its own right, which no role includes. */
  mayQueueCommands: boolean;
  /** Whether the caller may pause the queue and drain workers: admins, and tokens that were made with this right. */
  mayManageQueue: boolean;
}

/** Who asks. */
export interface GraphqlCaller extends CallerRights {
  /** The same for all that use one token, or none where none is needed. */
  id: string;
  /** Of a program that a worker executes: the attempt whose token it has, beyond which it sees and changes nothing. */
  attempt?: RunAttempt | undefined;
  /** Of a request over HTTP: by it the log and the answer name the request. */
  requestId?: string;
  /** Aborted when the caller has gone: work that only it waits for ends. */
  signal: AbortSignal;
  /** Messages that may be under way to a subscriber at once: one more is read when one of them has left. */
  outlet?: Capacity;
}

/** What resolvers work with: of one request, or of one subscription for as long as it lives. */
export interface GraphqlContext extends GraphqlEnvironment, GraphqlCaller {
  /** Replaced at each event of a subscription, so that none is answered from what an earlier one has read. */
  loaders: Loaders;
}

export function createGraphqlContext(environment: GraphqlEnvironment, caller: GraphqlCaller): GraphqlContext {
  return { ...environment, ...caller, loaders: createLoaders(environment.services.db) };
}

const RANK: Readonly<Record<CallerRole, number>> = { READ: 1, WRITE: 2, ADMIN: 3, none: 3 };

/** Whether a caller of this role may do what needs `needed`. */
export function mayDo(role: CallerRole, needed: 'READ' | 'WRITE' | 'ADMIN'): boolean {
  return RANK[role] >= RANK[needed];
}

/** @throws WarrenError FORBIDDEN unless the caller may have workers execute commands. */
export function requireCommandRight({ mayQueueCommands }: Pick<CallerRights, 'mayQueueCommands'>): void {
  if (mayQueueCommands) return;
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

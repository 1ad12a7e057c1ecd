import type { ArtifactStore } from '../platform/artifactStore.ts';
import type { ServiceContext } from '../services/serviceContext.ts';
import type { ChangeHub } from './changes/changeHub.ts';
import { createLoaders, type Loaders } from './loaders/loaders.ts';

/** What a caller may do; `none` where the server asks for no token and everything is allowed. */
export type CallerRole = 'none' | 'READ' | 'WRITE' | 'ADMIN';

/** What is the same for every request of a process. */
export interface GraphqlEnvironment {
  services: ServiceContext;
  artifacts: ArtifactStore;
  changes: ChangeHub;
  /** Warren's own version. */
  version: string;
  /** Told when a subscription could not read and tries again. */
  onRetry(error: unknown): void;
}

/** What resolvers work with: of one request, or of one subscription for as long as it lives. */
export interface GraphqlContext extends GraphqlEnvironment {
  role: CallerRole;
  /** Replaced at each event of a subscription, so that none is answered from what an earlier one has read. */
  loaders: Loaders;
}

export function createGraphqlContext(environment: GraphqlEnvironment, role: CallerRole): GraphqlContext {
  return { ...environment, role, loaders: createLoaders(environment.services.db) };
}

const RANK: Readonly<Record<CallerRole, number>> = { READ: 1, WRITE: 2, ADMIN: 3, none: 3 };

/** Whether a caller of this role may do what needs `needed`. */
export function mayDo(role: CallerRole, needed: 'READ' | 'WRITE' | 'ADMIN'): boolean {
  return RANK[role] >= RANK[needed];
}

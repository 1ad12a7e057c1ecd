import express, { type Express, type RequestHandler } from 'express';
import { WarrenError } from '../contracts/errors.ts';
import { mayDo } from '../graphql/context.ts';
import type { ArtifactStore } from '../platform/artifactStore.ts';
import type { Logger } from '../platform/logger.ts';
import type { ServiceContext } from '../services/serviceContext.ts';
import { artifactRoutes } from './artifactRoutes.ts';
import { type Authenticator, bearerToken } from './authentication.ts';
import { dashboard } from './dashboard.ts';
import { errorHandler } from './errorHandler.ts';
import { exportRoute } from './exportRoute.ts';
import { health } from './health.ts';
import type { RequestGuard } from './requestGuard.ts';
import { securityHeaders } from './securityHeaders.ts';

export interface AppOptions {
  services: ServiceContext;
  store: ArtifactStore;
  guard: RequestGuard;
  authenticator: Authenticator;
  /** Handlers of `/graphql`. */
  graphql: RequestHandler[];
  dashboardFolder: string;
  logger: Logger;
}

/** Every address that is served over HTTP. Only `/health` and the dashboard's own files need no token. */
export function createApp({ services, store, guard, authenticator, ...options }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(securityHeaders, guard.middleware);
  app.get('/health', health(services));
  const authenticate = authenticated(authenticator);
  app.use('/graphql', authenticate, ...options.graphql);
  app.use('/artifacts', authenticate, artifactRoutes({ services, store }));
  app.get('/export', authenticate, exportRoute(services));
  app.use(dashboard(options.dashboardFolder));
  app.use(errorHandler(options.logger));
  return app;
}

/** Puts the caller's role into `response.locals.role`. */
function authenticated(authenticator: Authenticator): RequestHandler {
  return async (request, response, next) => {
    const role = await authenticator.roleOf(bearerToken(request.headers.authorization));
    if (!mayDo(role, 'READ')) throw new WarrenError('FORBIDDEN', 'this token may not read');
    response.locals.role = role;
    next();
  };
}

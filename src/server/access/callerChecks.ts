import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import type { ServerOptions } from '../serverOptions.ts';
import { createSessionGate, type SessionGate } from '../signIn/sessionGate.ts';
import { type Authenticator, createAuthenticator } from './authentication.ts';
import { isLoopback } from './loopback.ts';
import { createRequestGuard, type RequestGuard } from './requestGuard.ts';

/** What looks at who asks, before anything is answered. */
export interface CallerChecks {
  /** Whether a request may come from where it comes. */
  guard: RequestGuard;
  /** Whose token it is. */
  authenticator: Authenticator;
  /** Who is signed in; null where people do not sign in. */
  gate: SessionGate | null;
}

/** The checks of a server, as strict as where it listens and how people sign in demand. */
export function createCallerChecks(services: ServiceContext, options: ServerOptions): CallerChecks {
  const { origins, requireToken, signIn: settings = null } = options;
  const loopbackOnly = isLoopback(options.host);
  const signIn = settings !== null;
  return {
    guard: createRequestGuard({
      loopbackOnly,
      origins: settings === null ? origins : [...origins, settings.publicOrigin],
      originsAreNames: requireToken || signIn,
    }),
    authenticator: createAuthenticator({
      services,
      tokensRequired: !loopbackOnly || requireToken || signIn,
      signIn: settings,
    }),
    gate: settings === null ? null : createSessionGate(services, settings),
  };
}

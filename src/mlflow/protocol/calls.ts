import type { AddressGuard } from '#src/base/platform/outgoing/addressGuard.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** What calls need of what is outside. */
export interface MlflowOutside {
  /** Says where webhooks may lead. */
  guard: AddressGuard;
}

/** One call of MLflow's REST protocol. */
export interface MlflowCall {
  /** The role that a caller's token must have; ADMIN: for the whole server, not for some projects. */
  needs: 'READ' | 'WRITE' | 'ADMIN';
  /** What it does, where a token for some projects alone may not. */
  ofServer?: string;
  /** The answer: an object, or the text of one as JSON. */
  answer(services: ServiceContext, body: Record<string, unknown>, outside: MlflowOutside): Promise<unknown>;
}

/** What a request of a GET says in its address: a name that came several times has all its values. */
export function queryBody(query: URLSearchParams): Record<string, unknown> {
  const lists = new Set(['order_by', 'run_ids', 'experiment_ids', 'stages']);
  const body: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    body[name] = lists.has(name) || values.length > 1 ? values : values[0];
  }
  return body;
}

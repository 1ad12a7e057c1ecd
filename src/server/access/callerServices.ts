import type { Response } from 'express';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { CallerRights, GraphqlCaller } from '#src/base/graphql/context.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import type { DataScope, ScopedDatabases } from '#src/base/platform/postgres/scopedDatabase.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** Use cases over what the caller of a request may read, or may change. */
export type ServicesOf = (response: Pick<Response, 'locals'>, action: 'read' | 'write') => ServiceContext;

/** The rights that the check of the caller has put into `response.locals`. */
export function callerOf(response: Pick<Response, 'locals'>): CallerRights {
  const { locals } = response;
  // what was not checked must not pass for somebody who may do everything
  invariant(locals.actor !== undefined && locals.reads !== undefined && locals.writes !== undefined, 'a caller');
  return locals as CallerRights;
}

/** Services for each caller: over all data, or over what the caller sees. */
export function callerServices(services: ServiceContext, databases: ScopedDatabases): ServicesOf {
  const over = (scope: DataScope | null): ServiceContext =>
    scope === null ? services : { ...services, db: databases.of(scope) };
  return (response, action) => {
    const { reads, writes } = callerOf(response);
    const { userName } = response.locals as Pick<GraphqlCaller, 'userName'>;
    return { ...over(action === 'read' ? reads : writes), userName: userName ?? null };
  };
}

/** @throws WarrenError FORBIDDEN for callers who came by a link. */
export function refuseLinks(response: Response): void {
  if (callerOf(response).reads?.kind !== 'share') return;
  throw new WarrenError('FORBIDDEN', 'this is not open to a link, which shows what was shared and nothing else');
}

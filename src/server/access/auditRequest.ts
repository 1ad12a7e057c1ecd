import type { Response } from 'express';
import type { Logger } from '#src/base/platform/logger.ts';
import { type AuditedAct, recordAct } from '#src/audit/auditLog.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { callerOf } from './callerServices.ts';

/** Writes down what the caller of a request did; never fails. */
export type AuditRequest = (response: Response, act: Omit<AuditedAct, 'actor' | 'requestId'>) => Promise<void>;

export function auditRequests(services: Pick<ServiceContext, 'db'>, logger: Logger): AuditRequest {
  return async (response, act) => {
    const { requestId } = response.locals as { requestId?: string };
    await recordAct(services, { ...act, actor: callerOf(response).actor, requestId }).catch((error: unknown) =>
      logger.error({ err: error, action: act.action }, 'the audit log could not be written'),
    );
  };
}

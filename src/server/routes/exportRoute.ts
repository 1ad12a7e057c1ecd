import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler } from 'express';
import { badInput } from '#src/base/contracts/errors.ts';
import { exportRuns } from '#src/exports/exportRuns.ts';
import type { AuditRequest } from '../access/auditRequest.ts';
import type { ServicesOf } from '../access/callerServices.ts';

const TYPES = { jsonl: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const;

/** `?name=text`, once at most. */
function parameter(request: Request, name: string): string | undefined {
  const value = request.query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw badInput(`${name}: expected one value, such as ?${name}=…`, name);
}

/**
 * GET /export?format=jsonl|csv&project=NAME&filter=TEXT: all points of the runs that meet the filter, streamed as fast as
 * the client reads. The service's own errors come before the first byte.
 */
export function exportRoute(servicesOf: ServicesOf, audit: AuditRequest): RequestHandler {
  return async (request, response) => {
    const format = parameter(request, 'format') ?? 'jsonl';
    if (format !== 'jsonl' && format !== 'csv') {
      throw badInput(`format: expected jsonl or csv, received ${JSON.stringify(format.slice(0, 40))}`, 'format');
    }
    const pieces = exportRuns(servicesOf(response, 'read'), {
      format,
      project: parameter(request, 'project'),
      filter: parameter(request, 'filter'),
      inTrash: parameter(request, 'inTrash') === 'true',
    });
    const first = await pieces.next();
    const project = parameter(request, 'project');
    const details = { format, filter: parameter(request, 'filter') ?? '' };
    await audit(response, { action: 'export', details, projectNames: project === undefined ? [] : [project] });
    response.set({
      'Content-Type': TYPES[format],
      'Content-Disposition': `attachment; filename="warren-runs.${format}"`,
      'Cache-Control': 'no-store',
    });
    await pipeline(Readable.from(from(first, pieces)), response).catch((error: unknown) => {
      if (!response.destroyed) throw error;
    });
  };
}

async function* from(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

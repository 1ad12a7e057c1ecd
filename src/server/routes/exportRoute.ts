import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler } from 'express';
import { badInput } from '#src/contracts/errors.ts';
import { exportRuns } from '#src/services/runs/exportRuns.ts';
import type { ServiceContext } from '#src/services/serviceContext.ts';

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
export function exportRoute(services: Pick<ServiceContext, 'db'>): RequestHandler {
  return async (request, response) => {
    const format = parameter(request, 'format') ?? 'jsonl';
    if (format !== 'jsonl' && format !== 'csv') {
      throw badInput(`format: expected jsonl or csv, received ${JSON.stringify(format.slice(0, 40))}`, 'format');
    }
    const pieces = exportRuns(services, {
      format,
      project: parameter(request, 'project'),
      filter: parameter(request, 'filter'),
      inTrash: parameter(request, 'inTrash') === 'true',
    });
    const first = await pieces.next();
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

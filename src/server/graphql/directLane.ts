import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { mayDo } from '#src/base/graphql/context.ts';
import { isTracing } from '#src/base/platform/tracing/tracing.ts';
import { isRunToken } from '#src/attempts/runToken.ts';
import { type Authenticator, bearerToken } from '../access/authentication.ts';
import type { RequestGuard } from '../access/requestGuard.ts';
import { SECURITY_HEADERS } from '../access/securityHeaders.ts';
import { idOfRequest } from '../observe/requestId.ts';

import { type LoggingLane, takesJson } from './loggingLane.ts';

// Express, and the reading of bodies by streams, take longer than everything else about a call of `logMetrics` with a point.
// What is out of the ordinary in any way is left to them, as it came.

export interface DirectLaneOptions {
  lane: LoggingLane;
  guard: Pick<RequestGuard, 'hostAllowed'>;
  authenticator: Authenticator;
  /** Whether callers without a token may be people who are signed in. */
  signsIn: boolean;
  /** Headers of every answer to a program. */
  told: Readonly<Record<string, string>>;
  isEnding(): boolean;
}

/** Larger ones come in pieces. */
const MOST_BYTES = 32 * 1024;
/** How far a body may be behind its headers. */
const BEHIND_MS = 100;
const PLAIN_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;
/** Headers of requests that have more to be decided. */
const UNUSUAL = ['origin', 'content-encoding', 'transfer-encoding', 'upgrade'] as const;
const FIELD = 'logMetrics';

/** Answers calls of `logMetrics` by programs, with headers, limits and rights as everywhere; `next` has all other requests. */
export function createDirectLane(options: DirectLaneOptions, next: RequestListener): RequestListener {
  const { guard } = options;
  return (request, response) => {
    const length = plainLength(request);
    if (length === null || isTracing() || options.isEnding() || !guard.hostAllowed(request))
      return next(request, response);
    answerOf(options, request, length)
      .catch(() => null)
      .then((answer) => (answer === null ? next(request, response) : send(request, response, answer, options)))
      .catch(() => request.destroy());
  };
}

/** Bytes of the body of a request that may be a call of `logMetrics`; null for others. */
function plainLength({ method, url, headers }: IncomingMessage): number | null {
  if (method !== 'POST' || url !== '/graphql' || !PLAIN_TYPE.test(headers['content-type'] ?? '')) return null;
  if (UNUSUAL.some((name) => headers[name] !== undefined) || !takesJson({ headers })) return null;
  const length = Number(headers['content-length']);
  return length > 0 && length <= MOST_BYTES ? length : null;
}

/** The body of the answer; null, and the request as it came, where it is not to be answered here. */
async function answerOf(
  { lane, authenticator, signsIn }: DirectLaneOptions,
  request: IncomingMessage,
  length: number,
): Promise<string | null> {
  const token = bearerToken(request.headers.authorization);
  if (token === null ? signsIn : isRunToken(token)) return null;
  const rights = await authenticator.rightsOf(token);
  if (!mayDo(rights.role, 'READ') || !(await hasArrived(request, length))) return null;
  const bytes: unknown = request.read();
  if (!Buffer.isBuffer(bytes)) return null;
  const body = bytes.length === length && bytes.includes(FIELD) ? parse(bytes) : null;
  const call = body === null ? null : lane.read(body);
  if (call === null) {
    request.unshift(bytes);
    return null;
  }
  const answer = await lane.write(call, { locals: rights });
  if (answer === null) await handOver(request, body);
  return answer;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

async function hasArrived(request: IncomingMessage, length: number): Promise<boolean> {
  if (request.readableLength < length) {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(patience);
        request.off('readable', end).off('close', end);
        resolve();
      };
      const patience = setTimeout(end, BEHIND_MS);
      request.once('readable', end).once('close', end);
    });
  }
  return request.readableLength >= length;
}

/** Leaves a body that was read where the next reader finds it: one of a request that has ended is not read again. */
async function handOver(request: IncomingMessage, body: unknown): Promise<void> {
  Object.assign(request, { body });
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => request.once('end', resolve).once('close', resolve).resume());
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: string,
  { told, isEnding }: DirectLaneOptions,
): void {
  response.writeHead(200, {
    'X-Request-Id': idOfRequest(request),
    ...(isEnding() ? { Connection: 'close' } : {}),
    ...SECURITY_HEADERS,
    ...told,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(answer),
  });
  response.end(answer);
}

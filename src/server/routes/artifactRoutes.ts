import { pipeline } from 'node:stream/promises';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { badInput, WarrenError } from '#src/contracts/errors.ts';
import { type CallerRole, mayDo } from '#src/graphql/context.ts';
import type { RunAttempt } from '#src/contracts/runAttempt.ts';
import type { ArtifactStore } from '#src/platform/artifacts/artifactStore.ts';
import { announceUpload } from '#src/services/artifacts/announceUpload.ts';
import { CODE_NAME } from '#src/services/commands/enqueueCommand.ts';
import { requireRun } from '#src/services/runs/findRun.ts';
import { hearHeartbeat, registerArtifact } from '#src/services/external/logExternal.ts';
import type { ServiceContext } from '#src/services/serviceContext.ts';
import { type ArtifactRecord, findArtifact } from '#src/store/artifacts/artifactRecord.ts';
import { findConfigurations } from '#src/store/runs/configurationRecord.ts';
import type { RunRecord } from '#src/store/runs/runRecord.ts';
import { artifactName } from './artifactName.ts';
import { byteRange } from './byteRange.ts';
import { allowSlowBody } from './slowBodies.ts';

/** Largest artifact: 16 GiB. */
const MAXIMUM_BYTES = 16 * 1024 ** 3;
const DEFAULT_TYPE = 'application/octet-stream';

/** Whatever an artifact says it is, it runs nothing in the dashboard's name. */
const ARTIFACT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'";

export interface ArtifactRoutesOptions {
  services: ServiceContext;
  store: ArtifactStore;
}

export interface ArtifactPlace {
  /** Id or number. */
  run: string;
  name: string;
}

/** What `/<run>/<name>` names. @throws WarrenError NOT_FOUND or BAD_INPUT. */
export function artifactPlace(request: Request): ArtifactPlace {
  const match = /^\/([^/]+)\/(.+)$/.exec(request.path);
  if (match === null) throw new WarrenError('NOT_FOUND', 'an artifact is at /artifacts/<run>/<name>');
  return { run: artifactName(match[1] ?? ''), name: artifactName(match[2] ?? '') };
}

/**
 * PUT and GET of artifacts by run and name, mounted at `/artifacts`, after the caller's role is in
 * `response.locals.role`. Errors go to the server's error handler.
 */
export function artifactRoutes({ services, store }: ArtifactRoutesOptions): RequestHandler {
  const router = Router();

  router.put(/.*/, async (request, response) => {
    const role = response.locals.role as CallerRole;
    if (!mayDo(role, 'WRITE')) {
      throw new WarrenError('FORBIDDEN', `storing an artifact needs a token with role WRITE; this one has ${role}`);
    }
    const place = artifactPlace(request);
    const expectedSha256 = checksumOf(request);
    const run = await requireRun(services, place.run, 'run');
    const program = await programOf(services, run, request);
    const attempt = attemptOf(request, run, program);
    refuseUnlessWriting(run, { attempt, program });
    const heard = { runId: run.id, attempt: response.locals.attempt as RunAttempt | undefined };
    if (program !== null) {
      if (program === 'command') refuseReserved(place.name);
      await hearHeartbeat(services, heard);
    }
    if (Number(request.get('content-length') ?? 0) > MAXIMUM_BYTES) {
      throw new WarrenError('TOO_LARGE', `an artifact may have ${MAXIMUM_BYTES} bytes at most`);
    }
    allowSlowBody(request);
    // refused halfway, the rest is read and dropped: a connection cut off would take the answer with it
    const storing = store.put(request.iterator({ destroyOnReturn: false }), {
      maximumBytes: MAXIMUM_BYTES,
      ...(expectedSha256 === undefined ? {} : { expectedSha256 }),
      beforePlacing: ({ sha256 }) => announceUpload(services, { runId: run.id, attempt, name: place.name, sha256 }),
    });
    const stored = await storing.catch((thrown: unknown) => {
      request.resume();
      throw thrown;
    });
    if (program !== null) {
      const mediaType = mediaTypeOf(request);
      await registerArtifact(services, {
        ...heard,
        artifact: { name: place.name, role: 'output', mediaType, ...stored },
      });
    }
    response.status(201).set('Cache-Control', 'no-store').json(stored);
  });

  router.get(/.*/, async (request, response) => {
    const place = artifactPlace(request);
    const run = await requireRun(services, place.run, 'run');
    const artifact = await findArtifact(services.db, run.id, place.name);
    if (artifact === null) {
      throw new WarrenError('NOT_FOUND', `run ${run.number} has no artifact "${place.name}"`, { path: 'name' });
    }
    await sendArtifact(request, response, artifact, store);
  });

  return router;
}

function checksumOf(request: Request): string | undefined {
  const header = request.get('x-content-sha256');
  if (header === undefined) return undefined;
  if (!/^[0-9a-f]{64}$/i.test(header)) {
    throw badInput('x-content-sha256: expected the 64 hexadecimal digits of a sha256', 'x-content-sha256');
  }
  return header.toLowerCase();
}

type ProgramKind = 'external' | 'command';

/** The kind of the program that sends the artifact; null for a worker, which alone names the attempt of a command. */
async function programOf({ db }: ServiceContext, run: RunRecord, request: Request): Promise<ProgramKind | null> {
  const [configuration] = await findConfigurations(db, [run.configurationHash]);
  if (configuration?.kind === 'external') return 'external';
  return configuration?.kind === 'command' && request.query.attempt === undefined ? 'command' : null;
}

/** Names under which a run's own code and checkpoint are kept. */
function refuseReserved(name: string): void {
  if (name !== CODE_NAME && !name.startsWith('checkpoint/')) return;
  throw badInput(`the artifact's name ${name} is taken by the run itself: choose another`, 'name');
}

/** The attempt that sends the artifact; programs of the user's own need not know theirs. */
function attemptOf(request: Request, run: RunRecord, program: ProgramKind | null): number {
  const { attempt } = request.query;
  if (attempt === undefined && program !== null) return run.attempt;
  if (typeof attempt === 'string' && /^[1-9]\d{0,8}$/.test(attempt)) return Number(attempt);
  throw badInput('attempt: expected the number of the attempt that sends it, such as ?attempt=1', 'attempt');
}

/** A crashed external run goes on as soon as its program sends something. */
function refuseUnlessWriting(
  run: RunRecord,
  { attempt, program }: { attempt: number; program: ProgramKind | null },
): void {
  const writing = run.state === 'RUNNING' || (program === 'external' && run.state === 'CRASHED');
  if (writing && run.attempt === attempt) return;
  const now = run.state === 'RUNNING' ? `attempt ${run.attempt} runs` : `it is ${run.state}`;
  throw new WarrenError('CONFLICT', `attempt ${attempt} of run ${run.number} may not store artifacts: ${now}`);
}

function mediaTypeOf(request: Request): string {
  const type = (request.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : DEFAULT_TYPE;
}

/** RFC 6266 and 8187: a plain name for old programs, the true one for all others. */
function disposition(name: string): string {
  const file = name.split('/').at(-1) ?? 'artifact';
  const plain = file.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(file).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** @throws WarrenError NOT_FOUND when the bytes are not there, DATA_ERROR when they are not as many as were stored. */
async function sizeOf({ name, sha256, sizeBytes }: ArtifactRecord, store: ArtifactStore): Promise<number> {
  const size = await store.size(sha256);
  if (size === sizeBytes) return size;
  const { code, message } = size === null ? await store.absence(sha256) : await store.setAside(sha256);
  throw new WarrenError(code, `"${name}": ${message}`, { path: 'name' });
}

async function sendArtifact(
  request: Request,
  response: Response,
  artifact: ArtifactRecord,
  store: ArtifactStore,
): Promise<void> {
  const size = await sizeOf(artifact, store);
  const etag = `"${artifact.sha256}"`;
  response.set({
    ETag: etag,
    'Accept-Ranges': 'bytes',
    // the name may get other bytes later; the ETag makes asking again cheap
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': ARTIFACT_POLICY,
    'Content-Disposition': disposition(artifact.name),
    'Last-Modified': artifact.createdAt.toUTCString(),
  });
  if (namesTag(request.get('if-none-match'), etag)) {
    response.status(304).end();
    return;
  }
  const ifRange = request.get('if-range');
  const range = ifRange === undefined || ifRange === etag ? byteRange(request.get('range'), size) : null;
  if (range === 'unsatisfiable') {
    response.status(416).set('Content-Range', `bytes */${size}`).end();
    return;
  }
  const bytes = request.method === 'HEAD' ? null : await store.read(artifact.sha256, range ?? undefined);
  response.set('Content-Type', artifact.mediaType);
  response.set('Content-Length', String(range === null ? size : range.end - range.start + 1));
  if (range !== null) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  if (bytes === null) {
    response.end();
    return;
  }
  await pipeline(bytes, response).catch((error: unknown) => {
    // a client that went away is no failure; anything else cuts the answer off, which its length tells the client
    if (!response.destroyed) throw error;
  });
}

function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

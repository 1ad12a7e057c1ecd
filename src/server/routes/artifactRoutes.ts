import { type Request, type RequestHandler, Router } from 'express';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { type CallerRole, mayDo } from '#src/base/graphql/context.ts';
import { mediaContentOf } from '#src/base/contracts/media.ts';
import type { RunAttempt } from '#src/base/contracts/runAttempt.ts';
import type { ArtifactStore, PutOptions } from '#src/base/platform/artifacts/artifactStore.ts';
import type { PartialUploads } from '#src/base/platform/artifacts/partialUploads.ts';
import { announceUpload } from '#src/artifacts/announceUpload.ts';
import { refuseBeyondQuota } from '#src/artifacts/projectQuota.ts';
import { CODE_NAME } from '#src/programs/enqueueCommand.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { hearHeartbeat, registerArtifact } from '#src/external/logExternal.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import type { ServicesOf } from '../access/callerServices.ts';
import { findArtifact, registeredArtifact } from '#src/artifacts/store/artifactRecord.ts';
import { findConfigurations } from '#src/runs/store/configurationRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { artifactName } from './artifactName.ts';
import { sentRange, takePart } from './resumedUpload.ts';
import { sendArtifact } from './sendArtifact.ts';
import { allowSlowBody } from './slowBodies.ts';

/** Largest artifact: 16 GiB. */
export const MAXIMUM_BYTES = 16 * 1024 ** 3;
const DEFAULT_TYPE = 'application/octet-stream';

/** Whatever an artifact says it is, it runs nothing in the dashboard's name. */
export const ARTIFACT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'";

export interface ArtifactRoutesOptions {
  servicesOf: ServicesOf;
  store: ArtifactStore;
  /** Whether programs are sent to the bucket by a signed link, where the store is one. */
  links?: boolean;
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
export function artifactRoutes({
  servicesOf,
  store,
  uploads,
  links = false,
}: ArtifactRoutesOptions & { uploads: PartialUploads }): RequestHandler {
  const router = Router();

  router.put(/.*/, async (request, response) => {
    const role = response.locals.role as CallerRole;
    if (!mayDo(role, 'WRITE')) {
      throw new WarrenError('FORBIDDEN', `storing an artifact needs a token with role WRITE; this one has ${role}`);
    }
    const services = servicesOf(response, 'write');
    const place = artifactPlace(request);
    const mediaContent = mediaContentOf(place.name);
    const expectedSha256 = mediaContent ?? checksumOf(request);
    const ofToken = response.locals.attempt as RunAttempt | undefined;
    const run = (response.locals.run as RunRecord | undefined) ?? (await requireRun(services, place.run, 'run'));
    // external runs have no tokens of their own: whoever has one, and names the attempt, is a worker
    const isWorker = ofToken !== undefined && request.query.attempt !== undefined;
    const program = isWorker ? null : await programOf(services, run, request);
    const attempt = attemptOf(request, run, program);
    const keptSinceMs = program === null ? null : keptSince(request);
    if (keptSinceMs === null) refuseUnlessWriting(run, { attempt, program });
    const heard = { runId: run.id, attempt: ofToken };
    if (program === 'command') refuseReserved(place.name);
    if (program !== null && keptSinceMs === null) await hearHeartbeat(services, heard);
    if (Number(request.get('content-length') ?? 0) > MAXIMUM_BYTES) {
      throw new WarrenError('TOO_LARGE', `an artifact may have ${MAXIMUM_BYTES} bytes at most`);
    }
    const range = sentRange(request);
    const room = await refuseBeyondQuota(services.db, {
      ...{ runId: run.id, name: place.name, sha256: expectedSha256 ?? null },
      sizeBytes: range?.total ?? Number(request.get('content-length') ?? 0),
    });
    allowSlowBody(request);
    // refused halfway, the rest is read and dropped: a connection cut off would take the answer with it
    const owner = { runId: run.id, attempt, name: place.name };
    const options: PutOptions = {
      maximumBytes: MAXIMUM_BYTES,
      ...(expectedSha256 === undefined ? {} : { expectedSha256 }),
      beforePlacing: (whole) => announceUpload(services, { ...owner, ...whole, hasQuota: Number.isFinite(room) }),
    };
    const storing =
      range === null
        ? store.put(request.iterator({ destroyOnReturn: false }), options)
        : takePart(request, { store, uploads }, { ...options, range, owner, sha256: requireChecksum(expectedSha256) });
    const stored = await storing.catch((thrown: unknown) => {
      request.resume();
      throw thrown;
    });
    if (typeof stored === 'number') {
      request.resume();
      response
        .status(202)
        .set({ 'Cache-Control': 'no-store', 'Upload-Offset': String(stored) })
        .json({ received: stored });
      return;
    }
    if (program !== null) {
      const mediaType = mediaTypeOf(request);
      await registerArtifact(services, {
        ...heard,
        keptSinceMs,
        artifact: { name: place.name, role: mediaContent === null ? 'output' : 'media', mediaType, ...stored },
      });
    }
    response.status(201).set('Cache-Control', 'no-store').json(stored);
  });

  router.get(/.*/, async (request, response) => {
    const services = servicesOf(response, 'read');
    const place = artifactPlace(request);
    const run = await requireRun(services, place.run, 'run');
    const left = await findArtifact(services.db, run.id, place.name);
    const wanted = wantedContent(request);
    const registered =
      wanted === undefined || left?.sha256 === wanted
        ? null
        : await registeredArtifact(services.db, { runId: run.id, artifactName: place.name, sha256: wanted });
    const artifact = registered ?? left;
    if (artifact === null) {
      throw new WarrenError('NOT_FOUND', `run ${run.number} has no artifact "${place.name}"`, { path: 'name' });
    }
    response.set('Content-Security-Policy', ARTIFACT_POLICY);
    // the name may get other bytes later; the ETag makes asking again cheap
    const as = { mediaType: artifact.mediaType, download: true, cacheControl: 'private, no-cache', byLink: links };
    await sendArtifact({ request, response, store }, artifact, as);
  });

  return router;
}

/** `?sha256=…`: where the run has another content now, that of a version which was registered from it. */
export function wantedContent({ query }: Request): string | undefined {
  return typeof query.sha256 === 'string' ? query.sha256.toLowerCase() : undefined;
}

function checksumOf(request: Request): string | undefined {
  const header = request.get('x-content-sha256');
  if (header === undefined) return undefined;
  if (!/^[0-9a-f]{64}$/i.test(header)) {
    throw badInput('x-content-sha256: expected the 64 hexadecimal digits of a sha256', 'x-content-sha256');
  }
  return header.toLowerCase();
}

function requireChecksum(sha256: string | undefined): string {
  if (sha256 !== undefined) return sha256;
  throw badInput('x-content-sha256: an upload in parts needs the sha256 of the whole content', 'x-content-sha256');
}

type ProgramKind = 'external' | 'command';

/** The kind of the program that sends the artifact; null for a worker, which alone names the attempt of a command. */
async function programOf({ db }: ServiceContext, run: RunRecord, request: Request): Promise<ProgramKind | null> {
  const [configuration] = await findConfigurations(db, [run.configurationHash]);
  if (configuration?.kind === 'external') return 'external';
  return configuration?.kind === 'command' && request.query.attempt === undefined ? 'command' : null;
}

/** Since when, in Unix milliseconds, a program has kept a file that there was no room for: its run may have ended since. */
function keptSince(request: Request): number | null {
  const { keptSince: text } = request.query;
  if (text === undefined) return null;
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  throw badInput('keptSince: expected a Unix time in milliseconds', 'keptSince');
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

/** A crashed external run goes on as soon as its program sends something; one without a lease takes files at any time. */
function refuseUnlessWriting(
  run: RunRecord,
  { attempt, program }: { attempt: number; program: ProgramKind | null },
): void {
  const writing =
    run.state === 'RUNNING' || (program === 'external' && (run.state === 'CRASHED' || run.leaseSeconds === null));
  if (writing && run.attempt === attempt) return;
  const now = run.state === 'RUNNING' ? `attempt ${run.attempt} runs` : `it is ${run.state}`;
  throw new WarrenError('CONFLICT', `attempt ${attempt} of run ${run.number} may not store artifacts: ${now}`);
}

export function mediaTypeOf(request: Request): string {
  const type = (request.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : DEFAULT_TYPE;
}

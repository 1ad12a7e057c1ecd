import { type Request, type RequestHandler, type Response, Router } from 'express';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { mayDo } from '#src/base/graphql/context.ts';
import { filesAnswer } from '#src/mlflow/protocol/artifactCalls.ts';
import { mlflowFailure } from '#src/mlflow/protocol/mlflowError.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { announceUpload } from '#src/artifacts/announceUpload.ts';
import { addFile, checkedPath, listFiles, removeFiles } from '#src/mlflow/runFiles.ts';
import { requireModelVersion } from '#src/mlflow/registeredModels.ts';
import { requireTrackedRun } from '#src/mlflow/trackedRuns.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { findArtifact } from '#src/artifacts/store/artifactRecord.ts';
import type { TrackedRun } from '#src/mlflow/store/trackedRun.ts';
import { listVersionFiles } from '#src/registry/store/versionFile.ts';
import { ARTIFACT_POLICY, type ArtifactRoutesOptions, MAXIMUM_BYTES, mediaTypeOf } from './artifactRoutes.ts';
import { type SentArtifact, sendArtifact } from './sendArtifact.ts';
import { allowSlowBody } from './slowBodies.ts';

const PROXY = /^\/(?:ajax-)?api\/2\.0\/mlflow-artifacts\/(artifacts|presigned[\w-]*)(?:\/(.*))?$/;
/** What MLflow's pages ask for. */
const UPLOAD = /^\/ajax-api\/2\.0\/mlflow\/upload-artifact$/;
const MOST_FILES = 10_000;
const PLACE = /^(\d+)\/([0-9a-f]{32})\/artifacts(?:\/(.*))?$/;

/** @throws WarrenError FORBIDDEN unless the caller has the role. */
export function requireRole(role: unknown, needed: 'READ' | 'WRITE' | 'ADMIN'): void {
  const held = role === 'none' || role === 'WRITE' || role === 'ADMIN' ? role : 'READ';
  if (!mayDo(held, needed))
    throw new WarrenError('FORBIDDEN', `this needs a token with role ${needed}; this one has ${held}`);
}

/** A run, and a path in its artifacts; empty for all of them. */
export interface ProxyPlace {
  run: TrackedRun;
  name: string;
}

/** What a path of the proxy means. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function proxyPlace(services: ServiceContext, encoded: string): Promise<ProxyPlace> {
  return await placeOf(services, decoded(encoded));
}

async function placeOf(services: ServiceContext, path: string): Promise<ProxyPlace> {
  const [, , runId, name = ''] = PLACE.exec(checkedPath(path)) ?? [];
  if (runId === undefined) {
    throw badInput(
      `"${path}": files are kept below EXPERIMENT/RUN/artifacts, such as 1/${'0'.repeat(32)}/artifacts/model.txt`,
    );
  }
  return { run: await requireTrackedRun(services, runId), name };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw badInput('Invalid path', 'path');
  }
}

/** @throws WarrenError BAD_INPUT where the run takes no files from MLflow's clients, or none of that name. */
export function requireTakesFile({ run, name }: ProxyPlace): void {
  if (name === '') throw badInput('Invalid path', 'path');
  if (run.deletedAt !== null || run.kind !== 'external') {
    throw badInput(`run ${run.number} takes no files: it is in the trash, or executed by Warren's workers`, 'path');
  }
}

/** Keeps what a request brings as a file of a run. */
async function receive(
  { services, store }: { services: ServiceContext; store: ArtifactStore },
  request: Request,
  { run, name }: ProxyPlace,
): Promise<void> {
  requireTakesFile({ run, name });
  allowSlowBody(request);
  const upload = { runId: run.id, attempt: run.attempt, name };
  const storing = store.put(request.iterator({ destroyOnReturn: false }), {
    maximumBytes: MAXIMUM_BYTES,
    beforePlacing: (whole) => announceUpload(services, { ...upload, ...whole }),
  });
  const stored = await storing.catch((thrown: unknown) => {
    request.resume();
    throw thrown;
  });
  await addFile(services, run.id, { name, role: 'output', mediaType: mediaTypeOf(request), ...stored });
}

/** POST …/upload-artifact?run_uuid=…&path=…: a file of a run. */
async function upload(
  { servicesOf, store }: ArtifactRoutesOptions,
  request: Request,
  response: Response,
): Promise<void> {
  requireRole(response.locals.role, 'WRITE');
  const services = servicesOf(response, 'write');
  const { searchParams } = new URL(request.originalUrl, 'http://host');
  const given = (name: string): string => {
    const value = searchParams.get(name) ?? '';
    if (value === '') throw badInput(`Request must specify ${name}.`, name);
    return value;
  };
  const [runId, name] = [given('run_uuid'), checkedPath(given('path'))];
  const isEmpty = request.get('transfer-encoding') === undefined && Number(request.get('content-length') ?? 0) === 0;
  if (isEmpty) throw badInput('Request must specify data.');
  await receive({ services, store }, request, { run: await requireTrackedRun(services, runId), name });
  response.set('Cache-Control', 'no-store').json({});
}

/** MLflow's proxy for files: list, upload, download, delete. There are no links to storage: files come through here. */
export function mlflowArtifacts(options: ArtifactRoutesOptions): RequestHandler {
  const { servicesOf, store } = options;
  const router = Router();
  router.use(async (request, response, next) => {
    const [, kind, encoded] = PROXY.exec(request.path) ?? [];
    if (UPLOAD.test(request.path) && request.method === 'POST') return await upload(options, request, response);
    if (kind === undefined) return next();
    const reads = request.method === 'GET' || request.method === 'HEAD';
    requireRole(response.locals.role, reads ? 'READ' : 'WRITE');
    const services = servicesOf(response, reads ? 'read' : 'write');
    response.set('Cache-Control', 'no-store');
    if (kind !== 'artifacts') {
      const failure = mlflowFailure(
        'NOT_IMPLEMENTED',
        'Warren gives no links to its storage: files are uploaded and downloaded through the proxy',
      );
      response.status(failure.status).json(failure.body);
      return;
    }
    const place = encoded ?? '';
    if (place === '' && request.method === 'GET') {
      const folder = new URL(request.originalUrl, 'http://host').searchParams.get('path') ?? '';
      const { run, name } = await placeOf(services, folder);
      const files = filesAnswer(await listFiles(services, run.id, name), '');
      response.json(files.length === 0 ? {} : { files });
    } else if (request.method === 'GET' || request.method === 'HEAD') {
      const { run, name } = await proxyPlace(services, place);
      await send({ services, store }, { request, response }, run, name);
    } else if (request.method === 'PUT') {
      await receive({ services, store }, request, await proxyPlace(services, place));
      response.json({});
    } else if (request.method === 'DELETE') {
      const { run, name } = await proxyPlace(services, place);
      await removeFiles(services, run.id, name);
      response.json({});
    } else {
      next();
    }
  });
  return router;
}

async function send(
  { services, store }: { services: ServiceContext; store: ArtifactStore },
  exchange: Pick<Parameters<typeof sendArtifact>[0], 'request' | 'response'>,
  run: TrackedRun,
  name: string,
): Promise<void> {
  const artifact = name === '' ? null : await findArtifact(services.db, run.id, name);
  if (artifact === null) throw new WarrenError('NOT_FOUND', `No such artifact: '${name}'`, { path: 'path' });
  await sendFile({ ...exchange, store }, artifact);
}

async function sendFile(
  exchange: Parameters<typeof sendArtifact>[0],
  file: SentArtifact & { mediaType: string },
): Promise<void> {
  exchange.response.set('Content-Security-Policy', ARTIFACT_POLICY);
  const as = { mediaType: file.mediaType, download: true, cacheControl: 'private, no-cache' };
  await sendArtifact(exchange, file, as);
}

/** GET /get-artifact?run_id=…&path=…: a file of a run. */
export function mlflowDownload(options: ArtifactRoutesOptions): RequestHandler {
  return async (request, response) => {
    const { searchParams } = new URL(request.originalUrl, 'http://host');
    const services = options.servicesOf(response, 'read');
    const run = await requireTrackedRun(services, searchParams.get('run_id') ?? searchParams.get('run_uuid') ?? '');
    await send(
      { services, store: options.store },
      { request, response },
      run,
      checkedPath(searchParams.get('path') ?? ''),
    );
  };
}

/** GET /model-versions/get-artifact?name=…&version=…&path=…: a file of a version, as it was when that was registered. */
export function mlflowVersionDownload(options: ArtifactRoutesOptions): RequestHandler {
  return async (request, response) => {
    const { searchParams } = new URL(request.originalUrl, 'http://host');
    const path = checkedPath(searchParams.get('path') ?? '');
    const services = options.servicesOf(response, 'read');
    const { name, version } = { name: searchParams.get('name') ?? '', version: searchParams.get('version') ?? '' };
    const { id } = await requireModelVersion(services.db, name, version);
    const files = await listVersionFiles(services.db, [id], MOST_FILES);
    const file = files.find((one) => one.path === path);
    if (file === undefined) throw new WarrenError('NOT_FOUND', `No such artifact: '${path}'`, { path: 'path' });
    await sendFile({ request, response, store: options.store }, { ...file, name: path });
  };
}

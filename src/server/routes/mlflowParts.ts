import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { mlflowFailure } from '#src/mlflow/protocol/mlflowError.ts';
import { readRequest } from '#src/mlflow/protocol/request.ts';
import { isMissing } from '#src/base/platform/artifacts/artifactFiles.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import type { PartialUploads } from '#src/base/platform/artifacts/partialUploads.ts';
import { announceUpload } from '#src/artifacts/announceUpload.ts';
import { refuseBeyondQuota } from '#src/artifacts/projectQuota.ts';
import { addFile, checkedPath } from '#src/mlflow/runFiles.ts';
import { partsOf, ticketParts, uploadTicket } from '#src/mlflow/uploadTicket.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { holderOf, holderStands } from '#src/people/callerStands.ts';
import { callerOf, type ServicesOf } from '../access/callerServices.ts';
import { MAXIMUM_BYTES } from './artifactRoutes.ts';
import { type ProxyPlace, proxyPlace, requireRole, requireTakesFile } from './mlflowArtifacts.ts';
import { allowSlowBody } from './slowBodies.ts';

/** Where uploads in parts are begun, completed and given up. */
export const MPU = /^\/(?:ajax-)?api\/2\.0\/mlflow-artifacts\/mpu\/(create|complete|abort)\/(.+)$/;
/** Where their parts are sent. */
export const MPU_PART = /^\/api\/2\.0\/mlflow-artifacts\/mpu\/part\/([\w.-]+)\/([1-9]\d{0,4})$/;

/** As many as S3 takes. */
const MOST_PARTS = 10_000;
/** MLflow's clients send a file whole where an answer begins so. */
const UNSUPPORTED = 'Multipart upload is not supported for the current artifact repository';

export interface MlflowPartsOptions {
  servicesOf: ServicesOf;
  /** Over all data: parts come without a token. */
  services: Pick<ServiceContext, 'db'>;
  store: ArtifactStore;
  uploads: PartialUploads;
  /** Signs the addresses to which parts are sent. */
  viewKey: string;
  publicUrl: string | null;
}

/** POST …/mpu/create, complete and abort of a file of a run, whose last name is that of `path`, a file of the client's. */
export function mlflowParts(options: MlflowPartsOptions): RequestHandler {
  return async (request, response) => {
    requireRole(response.locals.role, 'WRITE');
    const services = options.servicesOf(response, 'write');
    const { 0: act, 1: folder = '' } = request.params;
    const body = isPlainObject(request.body) ? request.body : {};
    const { path } = readRequest(body, { path: 'string!' });
    const { run, name: inside } = await proxyPlace(services, folder);
    const file = { run, name: checkedPath([inside, path.split(/[\\/]/).at(-1)].filter(Boolean).join('/')) };
    requireTakesFile(file);
    response.set('Cache-Control', 'no-store');
    if (act !== 'create') {
      const { upload_id: id } = readRequest(body, { upload_id: 'string!' });
      const upload = { id, parts: partsOf(options.viewKey, id, { runId: run.id, name: file.name }) };
      if (act === 'complete') await complete(services, options, { file, upload, etags: sentEtags(body, upload.parts) });
      else await forget(options.uploads, upload);
      response.json({});
      return;
    }
    const { num_parts: parts } = readRequest(body, { num_parts: 'integer!' });
    if (parts < 1 || parts > MOST_PARTS) {
      const failure = mlflowFailure('NOT_IMPLEMENTED', `${UNSUPPORTED}: 1 to ${MOST_PARTS} parts, not ${parts}`);
      response.status(failure.status).json(failure.body);
      return;
    }
    const asked = { runId: run.id, name: file.name, sha256: null, sizeBytes: 1 };
    const room = Math.min(await refuseBeyondQuota(services.db, asked), MAXIMUM_BYTES);
    // all parts but the last are of one size, so that all together fill the room twice at most
    const partBytes = Math.ceil(room / Math.max(1, parts - 1));
    const id = uploadTicket(options.viewKey, {
      ...{ runId: run.id, name: file.name, parts, partBytes },
      holder: holderOf(callerOf(response).actor),
    });
    const place = `${addressOf(request, options.publicUrl)}/mlflow/api/2.0/mlflow-artifacts/mpu/part/${id}`;
    const credentials = Array.from({ length: parts }, (_, index) => ({
      ...{ url: `${place}/${index + 1}`, part_number: index + 1, headers: {} },
    }));
    response.json({ upload_id: id, credentials });
  };
}

/** PUT of a part; the address stands for the token. Its ETag says what came, and completes the upload. */
export function mlflowPart({ uploads, viewKey, services }: MlflowPartsOptions): RequestHandler {
  return async (request, response) => {
    const { 0: id = '', 1: text } = request.params;
    const [number, { parts, partBytes, holder }] = [Number(text), ticketParts(viewKey, id)];
    if (holder !== null && !(await holderStands(services, holder))) {
      const message = `upload_id: the ${holder.kind} that began this upload may do nothing any more`;
      throw new WarrenError('FORBIDDEN', message, { path: 'upload_id' });
    }
    if (number > parts) throw badInput(`part ${number}: this upload has ${parts}`, 'part_number');
    allowSlowBody(request);
    const key = partKey(id, number);
    const hash = createHash('sha256');
    await uploads.discard(key); // what a broken try has left may be longer
    await uploads.append(key, 0, counted(request, { hash, partBytes })).catch((thrown: unknown) => {
      request.resume();
      throw thrown;
    });
    response.set({ 'Cache-Control': 'no-store', ETag: `"${hash.digest('hex')}"` }).json({});
  };
}

async function* counted(
  request: Request,
  { hash, partBytes }: { hash: ReturnType<typeof createHash>; partBytes: number },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > partBytes) {
      const message = `a part of this upload may have ${partBytes} bytes at most: more parts of one size would not fit its project`;
      throw new WarrenError('TOO_LARGE', message);
    }
    hash.update(chunk);
    yield chunk;
  }
}

interface PartedUpload {
  id: string;
  parts: number;
}

/** The sha256 of each part, in their order. @throws WarrenError BAD_INPUT unless all are there, in their order. */
function sentEtags(body: Record<string, unknown>, parts: number): string[] {
  const { parts: sent } = readRequest(body, { parts: 'array!' });
  const etags = sent.map((part, index) => {
    const { part_number: number, etag } = readRequest(isPlainObject(part) ? part : {}, {
      ...{ part_number: 'integer!', etag: 'string!' },
    });
    if (number !== index + 1) {
      throw badInput(`parts: expected all ${parts} in their order, got ${number} as number ${index + 1}`, 'parts');
    }
    return etag.replaceAll('"', '');
  });
  if (etags.length !== parts) throw badInput(`parts: expected all ${parts}, got ${etags.length}`, 'parts');
  return etags;
}

interface Completion {
  file: ProxyPlace;
  upload: PartedUpload;
  etags: readonly string[];
}

/** Makes the file of its parts; asked again, because the answer was lost, it does nothing more. */
async function complete(
  services: ServiceContext,
  { store, uploads }: Pick<MlflowPartsOptions, 'store' | 'uploads'>,
  { file: { run, name }, upload, etags }: Completion,
): Promise<void> {
  const whole = partKey(upload.id, 0);
  if (await uploads.isFinished(whole)) return;
  await uploads.complete(whole, async () => {
    const stored = await store.put(joined(uploads, upload.id, etags), {
      maximumBytes: MAXIMUM_BYTES,
      beforePlacing: (all) => announceUpload(services, { runId: run.id, attempt: run.attempt, name, ...all }),
    });
    await addFile(services, run.id, { name, role: 'output', mediaType: 'application/octet-stream', ...stored });
    await uploads.finish(whole);
    await forget(uploads, upload);
    return stored;
  });
}

async function* joined(uploads: PartialUploads, id: string, etags: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const [index, etag] of etags.entries()) {
    const hash = createHash('sha256');
    try {
      for await (const chunk of uploads.read(partKey(id, index + 1)) as AsyncIterable<Uint8Array>) {
        hash.update(chunk);
        yield chunk;
      }
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
      throw badInput(`parts: number ${index + 1} has not come`, 'parts');
    }
    if (hash.digest('hex') !== etag) throw badInput(`parts: number ${index + 1} is not what its ETag says`, 'parts');
  }
}

async function forget(uploads: PartialUploads, { id, parts }: PartedUpload): Promise<void> {
  for (let number = 1; number <= parts; number++) await uploads.discard(partKey(id, number));
}

/** Under which a part is kept; the upload itself has number 0. */
function partKey(id: string, number: number): string {
  return createHash('sha256').update(`${id}/${number}`).digest('hex');
}

/**
 * How the caller reaches this server. Behind a proxy that adds TLS or a folder, WARREN_PUBLIC_URL says it, or for TLS alone the
 * header X-Forwarded-Proto.
 */
function addressOf(request: Request, publicUrl: string | null): string {
  const host = request.get('host') ?? '';
  if (publicUrl !== null && new URL(publicUrl).host === host.toLowerCase()) return publicUrl;
  const isSecure = request.secure || /^https\b/i.test(request.get('x-forwarded-proto') ?? '');
  return `${isSecure ? 'https' : 'http'}://${host}`;
}

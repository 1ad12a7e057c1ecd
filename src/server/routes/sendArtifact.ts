import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import type { ArtifactRecord } from '#src/artifacts/store/artifactRecord.ts';
import { byteRange } from './byteRange.ts';

/** A download by a link must begin within this time. */
const LINK_SECONDS = 300;

/** What is handed out. */
export type SentArtifact = Pick<ArtifactRecord, 'name' | 'sha256' | 'sizeBytes' | 'createdAt'>;

/** How the bytes are handed out. */
export interface SentAs {
  mediaType: string;
  /** Whether a browser saves it rather than showing it. */
  download: boolean;
  cacheControl: string;
  /** Whether a program may be sent to the place where the bytes are. */
  byLink?: boolean;
}

/** @throws WarrenError NOT_FOUND when the bytes are not there, DATA_ERROR when they are not as many as were stored. */
async function sizeOf({ name, sha256, sizeBytes }: SentArtifact, store: ArtifactStore): Promise<number> {
  const size = await store.size(sha256);
  if (size === sizeBytes) return size;
  const { code, message } = size === null ? await store.absence(sha256) : await store.setAside(sha256);
  throw new WarrenError(code, `"${name}": ${message}`, { path: 'name' });
}

/** Answers a GET or HEAD with the bytes of an artifact, or the part of them that was asked for. */
export async function sendArtifact(
  { request, response, store }: { request: Request; response: Response; store: ArtifactStore },
  artifact: SentArtifact,
  as: SentAs,
): Promise<void> {
  const size = await sizeOf(artifact, store);
  const etag = `"${artifact.sha256}"`;
  response.set({
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': as.cacheControl,
    'Content-Disposition': contentDisposition(artifact.name.split('/').at(-1), {
      type: as.download ? 'attachment' : 'inline',
    }),
    'Last-Modified': artifact.createdAt.toUTCString(),
  });
  if (namesTag(request.get('if-none-match'), etag)) {
    response.status(304).end();
    return;
  }
  if (as.byLink === true && as.download && request.method === 'GET' && !isPage(request)) {
    const fileName = artifact.name.split('/').at(-1) ?? 'artifact';
    const link = await store.link(artifact.sha256, { fileName, seconds: LINK_SECONDS });
    if (link !== null) {
      response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).redirect(307, link);
      return;
    }
  }
  const ifRange = request.get('if-range');
  const range = ifRange === undefined || ifRange === etag ? byteRange(request.get('range'), size) : null;
  if (range === 'unsatisfiable') {
    response.status(416).set('Content-Range', `bytes */${size}`).end();
    return;
  }
  const bytes = request.method === 'HEAD' ? null : await store.read(artifact.sha256, range ?? undefined);
  response.set('Content-Type', as.mediaType);
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

/** A browser says where its requests come from; a page may not read what another origin answers. */
function isPage(request: Request): boolean {
  return request.get('sec-fetch-mode') !== undefined && request.get('sec-fetch-site') !== undefined;
}

function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

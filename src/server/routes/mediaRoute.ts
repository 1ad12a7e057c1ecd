import { type RequestHandler, Router } from 'express';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { mediaContentOf } from '#src/base/contracts/media.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { checkTicket } from '#src/artifacts/viewTicket.ts';
import { stillShows } from '#src/sharing/shareLinks.ts';
import { findArtifact } from '#src/artifacts/store/artifactRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { artifactPlace } from './artifactRoutes.ts';
import { sendArtifact } from './sendArtifact.ts';

/**
 * Whatever was uploaded runs nothing, loads nothing and sends nothing: scripts, forms, plugins, workers and every address but
 * `data:` are refused by the policy, and the sandbox gives the page an origin of its own, even where it is opened directly.
 */
const VIEW_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  'media-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox',
].join('; ');

/** Types that browsers may take an upload for. Anything else is bytes to be saved. */
const SHOWN_TYPES: ReadonlySet<string> = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp', 'image/svg+xml'],
  ...['audio/wav', 'audio/x-wav', 'audio/mpeg', 'audio/ogg', 'audio/flac', 'audio/x-flac', 'audio/mp4', 'audio/webm'],
  ...['video/mp4', 'video/webm', 'video/ogg'],
]);

/** The type that an upload is served as: never one that its uploader could have made up. */
export function shownType(mediaType: string): string | null {
  if (SHOWN_TYPES.has(mediaType)) return mediaType;
  if (mediaType === 'text/html') return 'text/html; charset=utf-8';
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return 'application/json';
  return mediaType.startsWith('text/') ? 'text/plain; charset=utf-8' : null;
}

/**
 * GET of an artifact for browsers to show, mounted at `/media`: the ticket in the address stands for the token, which an
 * `<img>` or `<iframe>` cannot send.
 */
export function mediaRoute({
  services,
  store,
  viewKey,
}: {
  services: ServiceContext;
  store: ArtifactStore;
  viewKey: string;
}): RequestHandler {
  const router = Router();
  router.get(/.*/, async (request, response) => {
    const { run: runId, name } = artifactPlace(request);
    response.set({
      'Content-Security-Policy': VIEW_POLICY,
      'X-Frame-Options': 'SAMEORIGIN',
      'X-DNS-Prefetch-Control': 'off',
    });
    const link = typeof request.query.link === 'string' ? request.query.link : null;
    checkTicket(viewKey, { runId, name, link }, request.query.ticket);
    if (link !== null && !(await stillShows(services, link, runId))) {
      throw new WarrenError('FORBIDDEN', 'the link by which this was shown was withdrawn, or has expired');
    }
    const artifact = await findArtifact(services.db, runId, name);
    if (artifact === null) throw new WarrenError('NOT_FOUND', `the run has no artifact "${name}" any more`);
    const mediaType = shownType(artifact.mediaType);
    await sendArtifact({ request, response, store }, artifact, {
      mediaType: mediaType ?? 'application/octet-stream',
      download: mediaType === null,
      cacheControl: mediaContentOf(name) === null ? 'private, no-cache' : 'private, max-age=31536000, immutable',
    });
  });
  return router;
}

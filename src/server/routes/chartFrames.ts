import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';

/**
 * A frame that draws uploaded charts runs its own program and nothing else: no text as a program, no address, no way out. Its
 * sandbox gives it an origin of its own, so that even a fault in a chart's library reads nothing of the dashboard.
 */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ');

/** The frames in `folder` of the built dashboard, mounted at `/frames`. */
export function chartFrames(folder: string): RequestHandler {
  const router = Router();
  router.use((_request, response, next) => {
    response.set({
      'Content-Security-Policy': FRAME_POLICY,
      'X-Frame-Options': 'SAMEORIGIN',
      'X-DNS-Prefetch-Control': 'off',
      // a frame without an origin asks for its program as a stranger would
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    next();
  });
  router.use(express.static(join(folder, 'frames'), { index: false, redirect: false, maxAge: 0, fallthrough: true }));
  return router;
}

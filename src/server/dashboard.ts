import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { WarrenError } from '../contracts/errors.ts';
import { sendError } from './sendError.ts';

const ONE_YEAR_MS = 365 * 24 * 3600 * 1000;

/**
 * Serves the built dashboard from `folder`. Files under `assets/` carry their hash in their name and are kept by browsers for
 * good; the page itself is asked for again each time. Every other address without a file gets the page, whose own router
 * shows what it means.
 */
export function dashboard(folder: string): RequestHandler {
  const page = join(folder, 'index.html');
  const router = Router();
  router.use(
    '/assets',
    express.static(join(folder, 'assets'), { immutable: true, maxAge: ONE_YEAR_MS, index: false, redirect: false }),
    (_request, response) => sendError(response, new WarrenError('NOT_FOUND', 'there is no such file in the dashboard')),
  );
  router.use(express.static(folder, { index: false, redirect: false, maxAge: 0, cacheControl: true }));
  router.use((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendError(response, new WarrenError('NOT_FOUND', `there is nothing at ${request.method} ${request.path}`));
    }
    if (!existsSync(page)) {
      const message = 'the dashboard is not built: run `npm run build`; the API is at /graphql';
      return sendError(response, new WarrenError('NOT_FOUND', message));
    }
    response.set('Cache-Control', 'no-cache');
    response.sendFile(page, { cacheControl: false });
  });
  return router;
}

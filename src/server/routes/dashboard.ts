import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { sendError } from './sendError.ts';

/** First parts of the addresses of `web/app/router.tsx`. */
export const DASHBOARD_PAGES: ReadonlySet<string> = new Set([
  '',
  'runs',
  'compare',
  'embeddings',
  'sweeps',
  'decisions',
  'workers',
  'alerts',
  'admin',
  'tokens',
  'new',
  'datasets',
  'models',
  'projects',
  'reports',
  'reproductions',
  'graphiql',
  'shared',
]);

const ONE_YEAR_MS = 365 * 24 * 3600 * 1000;

/**
 * Serves the built dashboard from `folder`. Files under `assets/` carry their hash in their name and are kept by browsers for
 * good; the page itself is asked for again each time. The addresses of its own router get the page; any other is not found:
 * a browser still gets the page with that status, which says so and leads home.
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
    if (!DASHBOARD_PAGES.has(request.path.split('/')[1] ?? '')) {
      if (request.accepts(['json', 'html']) !== 'html') {
        const message = `there is nothing at ${request.path}: the API is at /graphql, its schema at /schema.graphql`;
        return sendError(response, new WarrenError('NOT_FOUND', message));
      }
      response.status(404);
    }
    response.set('Cache-Control', 'no-cache');
    response.sendFile(page, { cacheControl: false });
  });
  return router;
}

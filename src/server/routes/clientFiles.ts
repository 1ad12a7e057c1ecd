import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { WarrenError } from '#src/base/contracts/errors.ts';

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const TYPESCRIPT = 'text/plain; charset=utf-8';
const TYPES = new Map([
  ['warren.py', 'text/x-python; charset=utf-8'],
  ['warren.mjs', JAVASCRIPT],
  ['warren.browser.mjs', JAVASCRIPT],
  ['warren.d.mts', TYPESCRIPT],
  ['warren.browser.d.mts', TYPESCRIPT],
]);

/** Serves the clients, each as one file, which needs no token: they hold no secret. */
export function clientFiles(folder: string): RequestHandler {
  return ({ params }, response) => {
    const name = String(params.file);
    const type = TYPES.get(name);
    if (type === undefined)
      throw new WarrenError('NOT_FOUND', `there is no client ${name}; ${[...TYPES.keys()].join(', ')}`);
    const file = join(folder, name);
    if (!existsSync(file)) throw new WarrenError('NOT_FOUND', 'the client is not built: run `npm run build`');
    response.set({ 'Content-Type': type, 'Cache-Control': 'no-cache' });
    response.sendFile(file, { cacheControl: false });
  };
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { WarrenError } from '#src/contracts/errors.ts';

/** Serves the Python client as one file, which needs no token: it holds no secret. */
export function clientFiles(folder: string): RequestHandler {
  const python = join(folder, 'warren.py');
  return (_request, response) => {
    if (!existsSync(python)) throw new WarrenError('NOT_FOUND', 'the client is not built: run `npm run build`');
    response.set({ 'Content-Type': 'text/x-python; charset=utf-8', 'Cache-Control': 'no-cache' });
    response.sendFile(python, { cacheControl: false });
  };
}

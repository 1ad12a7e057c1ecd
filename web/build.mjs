import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { buildFrames } from './frames/buildFrames.mjs';
import { writeOperationTypes } from '../src/graphql/operationTypes.mjs';

/** Builds the dashboard into `dist/web`: the API's types, then the bundle. Works offline. */
export async function buildDashboard({ quiet = false } = {}) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  await writeOperationTypes(root, { operations: 'web/api/operations', target: 'web/generated/graphql.ts' });
  await build({
    configFile: new URL('vite.config.ts', import.meta.url).pathname,
    logLevel: quiet ? 'warn' : 'info',
  });
  await buildFrames(root);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await buildDashboard({ quiet: process.argv.includes('--quiet') });
}

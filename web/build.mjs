import { build } from 'vite';
import { generateApiTypes } from './codegen.mjs';

/** Builds the dashboard into `dist/web`: the API's types, then the bundle. Works offline. */
export async function buildDashboard({ quiet = false } = {}) {
  await generateApiTypes();
  await build({
    configFile: new URL('vite.config.ts', import.meta.url).pathname,
    logLevel: quiet ? 'warn' : 'info',
  });
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await buildDashboard({ quiet: process.argv.includes('--quiet') });
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { buildFrames } from './frames/buildFrames.mjs';
import { buildReportPage } from './static/buildReportPage.mjs';
import { bundledFiles, packageFolders } from '../src/cli/thirdPartyLicenses.mjs';
import { writeOperationTypes } from '../src/graphql/operationTypes.mjs';

/**
 * Builds the dashboard into `dist/web`: the API's types, then the bundle. Works offline. Beside it, `report-page.js` is what writes
 * reports without a browser, and `web-packages.json` says of which packages there is code in both.
 */
export async function buildDashboard({ quiet = false } = {}) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  await writeOperationTypes(root, { operations: 'web', target: 'web/generated/graphql.ts' });
  const { output } = await build({
    configFile: new URL('vite.config.ts', import.meta.url).pathname,
    logLevel: quiet ? 'warn' : 'info',
  });
  const frames = await buildFrames(root);
  const reportPage = await buildReportPage(root);
  const files = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  writeFileSync(
    join(root, 'dist', 'web-packages.json'),
    JSON.stringify(packageFolders([...files, ...bundledFiles(frames), ...bundledFiles(reportPage)])),
  );
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await buildDashboard({ quiet: process.argv.includes('--quiet') });
}

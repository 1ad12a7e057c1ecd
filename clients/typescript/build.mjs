import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One file for Node and one for pages, which need nothing else; the API's types are checked against its schema.
 * @param {string} root The project.
 */
export async function buildTypescriptClient(root) {
  const { build: bundle } = await import('esbuild');
  const { writeOperationTypes } = await import('../../src/graphql/operationTypes.mjs');
  const folder = 'clients/typescript';
  await writeOperationTypes(root, { operations: `${folder}/operations`, target: `${folder}/generated/api.ts` });
  const shared = { absWorkingDir: root, bundle: true, format: 'esm', charset: 'utf8', logLevel: 'warning' };
  const file = (name) => join(root, 'dist', 'clients', name);
  // each client's types are one file, too
  const declared = (name) => readFileSync(join(root, folder, 'declarations', `${name}.d.mts`), 'utf8');
  for (const [name, target] of [
    ['node', 'warren.d.mts'],
    ['browser', 'warren.browser.d.mts'],
  ]) {
    mkdirSync(join(root, 'dist', 'clients'), { recursive: true });
    const parts = ['common', 'reading', name].map((part) =>
      declared(part).replace(/^(?:import|export \*) .*\n+/gm, ''),
    );
    writeFileSync(file(target), parts.join('\n'));
  }
  const node = { ...shared, platform: 'node', target: 'node20' };
  // the text of the thread goes into the client, so that it works within a user's bundle, which is another file
  const entryPoints = [`${folder}/node/sendingThread.ts`];
  const thread = await bundle({ ...node, entryPoints, format: 'cjs', minify: true, write: false });
  const text = JSON.stringify(thread.outputFiles[0].text.trim());
  writeFileSync(
    join(root, folder, 'generated', 'sendingThread.ts'),
    `// Made of clients/typescript/node/sendingThread.ts by clients/typescript/build.mjs: do not edit.\nexport const SENDING_THREAD =\n  ${text};\n`,
  );
  await Promise.all([
    bundle({
      ...node,
      entryPoints: [`${folder}/node.ts`],
      outfile: file('warren.mjs'),
    }),
    bundle({
      ...shared,
      entryPoints: [`${folder}/browser.ts`],
      platform: 'browser',
      target: 'es2022',
      outfile: file('warren.browser.mjs'),
    }),
  ]);
}

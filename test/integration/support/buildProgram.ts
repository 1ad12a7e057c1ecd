import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '#src/lib/projectRoot.ts';

/** Makes a program that `node` can run of a TypeScript file beside this one, and returns its path. */
export async function buildProgram(name: string): Promise<string> {
  const outfile = join(projectRoot(), 'dist', 'test', `${basename(name, '.ts')}.js`);
  await build({
    entryPoints: [join(projectRoot(), 'test', 'integration', 'support', name)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  return outfile;
}

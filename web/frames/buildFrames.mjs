import { build } from 'esbuild';

/**
 * Builds what draws uploaded charts within a frame: programs of their own, which the dashboard's first page does not load. Resolves
 * to what esbuild says of them.
 */
export async function buildFrames(root) {
  const { metafile } = await build({
    metafile: true,
    entryPoints: ['vega', 'plotly'].map((name) => `${root}/web/frames/${name}.ts`),
    outdir: `${root}/dist/web/frames`,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return metafile;
}

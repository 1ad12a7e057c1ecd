import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/** CommonJS packages in a module find the modules of Node through `require`. */
const REQUIRE =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

/**
 * Builds what the command line writes reports with: the dashboard's components with a document of their own, in one file for
 * Node. Resolves to what esbuild says of it.
 */
export async function buildReportPage(root) {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: ['web/static/reportPage.ts'],
    outfile: join(root, 'dist', 'report-page.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    conditions: ['browser'],
    mainFields: ['module', 'main'],
    target: 'node20.19',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    // styles are in what is written as text alone
    loader: { '.css': 'empty' },
    banner: { js: REQUIRE },
    plugins: [rawText, noCanvas],
    legalComments: 'none',
    logLevel: 'warning',
  });
  return metafile;
}

/** `import text from './file.css?raw'`, as vite has it. */
const rawText = {
  name: 'raw text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\?raw$/, '')),
      namespace: 'raw',
    }));
    onLoad({ filter: /.*/, namespace: 'raw' }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
      resolveDir: dirname(path),
    }));
  },
};

/** The document would draw with the package `canvas` where somebody has it: figures are SVG here. */
const noCanvas = {
  name: 'no canvas',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^canvas$/ }, ({ path }) => ({ path, namespace: 'none' }));
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: "throw new Error('no canvas');" }));
  },
};

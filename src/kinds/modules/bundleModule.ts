import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { BuildFailure, Plugin } from 'esbuild';
import { badInput } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import type { ModuleSource } from './findModules.ts';
import { partNames, PARTS_EXPRESSION } from './parts.ts';

const BUNDLED = /\.bundle\.mjs$/;

export interface BundleOptions {
  /** Bundles are kept below it, named by their content. */
  cacheFolder: string;
  /** The folder from which entries of WARREN_KINDS are seen. */
  from: string;
}

/**
 * A module as one JavaScript file, with all that it imports but Warren's own parts: TypeScript is stripped, and Node's
 * version does not matter. A file that is such a bundle already stays as it is.
 * @returns its path. Its name holds a digest of its content.
 * @throws WarrenError BAD_INPUT with file, line and column of what cannot be read or resolved.
 */
export async function bundleModule(source: ModuleSource, { cacheFolder, from }: BundleOptions): Promise<string> {
  if (BUNDLED.test(source.entry)) return source.entry;
  // only where there are modules: it is a program of its own
  const { build } = await import('esbuild');
  const folder = join(cacheFolder, 'kinds');
  const bundle = await build({
    entryPoints: [source.entry],
    absWorkingDir: from,
    bundle: true,
    write: false,
    outfile: join(folder, 'module.mjs'),
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'silent',
    plugins: [partsPlugin()],
    // packages in CommonJS ask for Node's own modules by `require`
    banner: {
      js: `import { createRequire as warrenRequire } from 'node:module';\nconst require = warrenRequire(import.meta.url);`,
    },
  }).catch((thrown: unknown) => {
    throw badInput(describeFailure(thrown));
  });
  const [output] = bundle.outputFiles;
  if (output === undefined) throw badInput('there is nothing in it');
  const digest = createHash('sha256').update(output.contents).digest('hex').slice(0, 12);
  const name = basename(source.entry).replace(/\.[cm]?[jt]s$/, '');
  const path = join(folder, `${name === 'index' ? basename(dirname(source.entry)) : name}-${digest}.bundle.mjs`);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, output.contents);
  await rename(draft, path);
  return path;
}

/** Gives modules Warren's parts, and the zod that they come from: a second copy of either would not know the first. */
function partsPlugin(): Plugin {
  const [namespace, zodNamespace] = ['warren', 'warren-zod'];
  return {
    name: 'warren-kinds',
    setup(build) {
      build.onResolve({ filter: /^warren(\/|$)/ }, ({ path }) =>
        path === 'warren/kinds'
          ? { path, namespace }
          : { errors: [{ text: `"${path}" is not for modules of kinds: import from "warren/kinds"` }] },
      );
      build.onResolve({ filter: /^zod(\/|$)/ }, () => ({ path: 'zod', namespace: zodNamespace }));
      build.onResolve({ filter: /^@tensorflow\/tfjs/ }, ({ path }) => ({
        errors: [{ text: `"${path}" would be a second TensorFlow.js: import { tf } from "warren/kinds"` }],
      }));
      build.onLoad({ filter: /.*/, namespace }, () => ({ contents: reexport(PARTS_EXPRESSION, partNames()) }));
      build.onLoad({ filter: /.*/, namespace: zodNamespace }, async () => {
        const { z } = await import('zod');
        const zod = `${PARTS_EXPRESSION}.z`;
        const names = Object.keys(z).filter((name) => name !== 'default' && name !== 'z');
        return { contents: `${reexport(zod, names)}\nexport const z = ${zod};\nexport default z;` };
      });
    },
  };
}

/** A module whose exports are members of an object that is there when it is loaded. */
function reexport(object: string, names: readonly string[]): string {
  const exports = names.map((name, index) => {
    const quoted = JSON.stringify(name);
    return `const part${index} = parts[${quoted}];\nexport { part${index} as ${quoted} };`;
  });
  return [`const parts = ${object};`, ...exports].join('\n');
}

function isBuildFailure(thrown: unknown): thrown is BuildFailure {
  return thrown instanceof Error && 'errors' in thrown && Array.isArray(thrown.errors);
}

/** The first errors of a build, each with its place. */
function describeFailure(thrown: unknown): string {
  if (!isBuildFailure(thrown) || thrown.errors.length === 0) return coerceError(thrown).message;
  return thrown.errors
    .slice(0, 3)
    .map(({ text, location }) => {
      const words = text.replace(/"warren:warren\/kinds"/, '"warren/kinds"');
      if (location === null) return words;
      return `${relative('', location.file)}:${location.line}:${location.column + 1}: ${words}`;
    })
    .join('; ');
}

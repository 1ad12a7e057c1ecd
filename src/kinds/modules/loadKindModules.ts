import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { addContent } from '#src/catalog/modules/addedContent.ts';
import { addsSomething, checkModule } from '#src/catalog/modules/checkModule.ts';
import { badInput, toErrorRecord } from '#src/base/contracts/errors.ts';
import { bundleModule } from './bundleModule.ts';
import { findModules, type ModuleSource } from './findModules.ts';
import { type ModuleReport, rememberModules } from '#src/base/platform/kindModules/loadedModules.ts';
import { layDownParts, type Parts, partsWithoutNumerics } from './parts.ts';

export interface LoadOptions {
  /** The entries of WARREN_KINDS. */
  kindModules: readonly string[];
  cacheFolder: string;
}

/** A module that waits longer for something while it loads is left out. */
const LONGEST_LOAD_MS = 10_000;

/**
 * Loads the modules of WARREN_KINDS, in their order, and adds what they define to the catalog of this process. Once, at its
 * start. A module that cannot be loaded, or adds what cannot be, is left out as a whole, and its report says why: the others
 * are there all the same.
 * @param parts What modules get from `warren/kinds`; without numerics unless given.
 */
export async function loadKindModules(
  { kindModules, cacheFolder }: LoadOptions,
  parts?: Parts,
): Promise<readonly ModuleReport[]> {
  if (kindModules.length === 0) return [];
  // errors name the lines of the module's own files
  process.setSourceMapsEnabled(true);
  const from = process.cwd();
  const reports: ModuleReport[] = [];
  const bundles: string[] = [];
  const empty = { kinds: [], presets: [], datasets: [] };
  layDownParts(parts ?? partsWithoutNumerics());
  for (const entry of kindModules) {
    try {
      for (const source of findModules(entry, from)) {
        const report = await addModule(source, { cacheFolder, from }).catch((thrown: unknown) => ({
          bundle: null,
          ...{ module: source.name, ...empty, problem: problemOf(thrown) },
        }));
        const { bundle, ...told } = report;
        if (bundle !== null) bundles.push(bundle);
        if (told.problem !== null || bundle !== null) reports.push(told);
      }
    } catch (thrown) {
      reports.push({ module: entry, ...empty, problem: problemOf(thrown) });
    }
  }
  rememberModules({ reports, bundles });
  return reports;
}

const exportsSchema = z.record(z.string(), z.unknown());

async function addModule(
  source: ModuleSource,
  options: { cacheFolder: string; from: string },
): Promise<ModuleReport & { bundle: string | null }> {
  const bundle = await bundleModule(source, options);
  const exports = exportsSchema.parse({ ...(await importedWithin(bundle)) });
  if (!addsSomething(exports)) {
    if (source.mayBeEmpty) {
      return { module: source.name, kinds: [], presets: [], datasets: [], problem: null, bundle: null };
    }
    throw badInput(
      'it exports nothing that defineKind, definePreset, defineDataset or defineReader of warren/kinds has made',
    );
  }
  const content = checkModule(exports);
  addContent(content);
  return {
    module: source.name,
    kinds: content.kinds.map(({ definition }) => definition.kind),
    presets: content.presets.map(({ preset }) => preset.name),
    datasets: content.datasets.map(({ name }) => name),
    problem: null,
    bundle,
  };
}

async function importedWithin(bundle: string): Promise<object> {
  const abort = new AbortController();
  const late = delay(LONGEST_LOAD_MS, undefined, { signal: abort.signal, ref: false }).then(() => {
    throw badInput(`it has not loaded within ${LONGEST_LOAD_MS / 1000} s: what waits belongs into run`);
  });
  late.catch(() => {});
  try {
    const imported: object = await Promise.race([import(pathToFileURL(bundle).href), late]);
    return imported;
  } finally {
    abort.abort();
  }
}

/** Errors of ours say all; of others the place counts, too. */
function problemOf(thrown: unknown): string {
  const { code, message, stack } = toErrorRecord(thrown);
  if (code !== 'INTERNAL') return message;
  const place = /\(?([^\s()]+:\d+:\d+)\)?$/m.exec(stack?.split('\n').slice(1).join('\n') ?? '')?.[1];
  return place === undefined ? `it throws: ${message}` : `it throws: ${message} (${place.replace(/^.*\//, '')})`;
}

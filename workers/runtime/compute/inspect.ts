import { z } from 'zod';
import { allDatasets } from '#src/catalog/datasets.ts';
import { badInput, toErrorRecord } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { type Environment, readEnvironment } from '#src/base/platform/environment.ts';
import { loadKindModules } from '#src/kinds/modules/loadKindModules.ts';
import { datasetReport } from '#workers/data/report/datasetReport.ts';
import { importDataset } from '#workers/data/report/importDataset.ts';
import { datasetsPresent, locateDataset } from '#workers/data/load/locateDataset.ts';
import { realProbes } from '#workers/tensor/backendProbes.ts';
import { BACKEND_NAMES, chooseBackend, detectBackends } from '#workers/tensor/detectBackends.ts';
import { fusedSupport } from '#workers/wasm/calls/fusedSupport.ts';
import { openblasSupport } from '#workers/wasm/calls/openblasSupport.ts';
import { setArithmetic } from '#workers/wasm/calls/kernelModule.ts';
import { productSpeed } from '#workers/wasm/calls/productSpeed.ts';
import { openProductLibrary } from '#workers/wasm/calls/productLibrary.ts';
import { workingArithmetic } from '../worker/workingArithmetic.ts';

// What the command line wants to know of the numerics, which it does not load itself: one question as arguments, one
// JSON answer on stdout: `{ "answer": … }` or `{ "error": … }`.

async function backends(environment: Environment) {
  const fused = { wanted: environment.arithmetic === 'fused', support: fusedSupport() };
  const found = openblasSupport();
  // what OpenBLAS is held against: the kernels that workers have without it
  if (fused.wanted && fused.support === 'fused') setArithmetic('fused');
  const openblas = {
    wanted: environment.arithmetic === 'openblas',
    ...('reason' in found ? found : { found: found.version, speed: await productSpeed(found.file) }),
  };
  return { backends: detectBackends(), chosen: chooseBackend(environment.backend).name, fused, openblas };
}

/** Every known dataset and every other readable file of the data folders, with the file that would be read. */
function datasets({ dataFolders }: Environment) {
  const names = new Set([...allDatasets().map((dataset) => dataset.name), ...datasetsPresent(dataFolders)]);
  return [...names].map((name) => ({ name, ...whereIs(name, dataFolders) }));
}

function whereIs(name: string, folders: readonly string[]): { path: string | null; format: string | null } {
  try {
    const { path, format } = locateDataset(name, folders);
    return { path, format };
  } catch {
    return { path: null, format: null };
  }
}

/**
 * What tensors of a run that requires a GPU would be computed on, having opened it; where none opens, those of any run, and why.
 */
async function device({ threads, backend }: Environment) {
  const { openBackend } = await import('#workers/tensor/openBackend.ts');
  const options = { forced: backend, threads };
  const hasGpu = chooseBackend(backend, realProbes, { requireGpu: true }).isGpu;
  let whyNoGpu: string | null = null;
  const opened = hasGpu
    ? await openBackend({ ...options, requireGpu: true }).catch((thrown: unknown) => {
        whyNoGpu = coerceError(thrown).message;
        return null;
      })
    : null;
  const { name, device, isGpu, reason, close } = opened ?? (await openBackend(options));
  await close();
  return { name, device, isGpu, reason: whyNoGpu ?? reason };
}

/**
 * Runs the backend suite on one backend. WebGPU without a graphics driver is an imitation in software, which is verified
 * only when WARREN_BACKEND forces it.
 */
async function verify(input: string, { threads, backend }: Environment) {
  const name = z.enum(BACKEND_NAMES).parse(input);
  const detected = detectBackends().find((candidate) => candidate.name === name);
  if (detected?.present !== true) return { name, skipped: detected?.reason ?? 'not here' };
  if (name === 'webgpu' && !detected.isGpu && backend !== name) return { name, skipped: detected.reason };
  const { referencesOf, verifyBackend } = await import('#workers/tensor/verification/verifyBackend.ts');
  return { skipped: null, ...(await verifyBackend(name, await referencesOf(), { threads })) };
}

/** What a dataset holds; `folder` is searched before all others. */
async function report(request: string, environment: Environment) {
  const { name, lenient, folder, preparation } = reportRequest.parse(JSON.parse(request));
  return datasetReport(name, {
    folders: folder === null ? environment.dataFolders : [folder],
    cacheFolder: folder === null ? environment.cacheFolder : null,
    lenient,
    preparation,
  });
}

const reportRequest = z.object({
  name: z.string(),
  lenient: z.boolean(),
  folder: z.string().nullable(),
  preparation: z.record(z.string(), z.unknown()).default({}),
});

const importRequest = z.object({
  name: z.string(),
  files: z.array(z.string()),
  parts: z.array(z.object({ part: z.enum(['valid', 'test']), file: z.string() })),
  folder: z.string(),
  format: z.string().nullable(),
  options: z.object({
    mapping: z
      .object({
        user: z.string().exactOptional(),
        item: z.string().exactOptional(),
        time: z.string().exactOptional(),
        rating: z.string().exactOptional(),
      })
      .exactOptional(),
    lenient: z.boolean().exactOptional(),
    header: z.boolean().exactOptional(),
    separator: z.string().min(1).exactOptional(),
    quotes: z.boolean().exactOptional(),
    time: z.enum(['none', 'line']).exactOptional(),
    timeFormat: z.string().exactOptional(),
    where: z.string().exactOptional(),
    encoding: z.string().exactOptional(),
    member: z.string().exactOptional(),
  }),
  replace: z.boolean(),
  dryRun: z.boolean(),
  items: z.string().nullable(),
});

async function answer(question: string | undefined, input: string | undefined): Promise<unknown> {
  const environment = readEnvironment();
  await loadKindModules(environment);
  if (question === 'device' || question === 'verify') {
    setArithmetic(workingArithmetic(environment.arithmetic, () => undefined));
  }
  if (question === 'backends') return backends(environment);
  if (question === 'device') return device(environment);
  if (question === 'verify' && input !== undefined) return verify(input, environment);
  if (question === 'openblas' && input !== undefined) return { version: openProductLibrary(input).version };
  if (question === 'datasets') return datasets(environment);
  if (question === 'report' && input !== undefined) return report(input, environment);
  if (question === 'import' && input !== undefined) return importDataset(importRequest.parse(JSON.parse(input)));
  throw badInput(
    `expected backends, device, verify NAME, openblas FILE, datasets, report JSON or import JSON, not "${question ?? ''}"`,
  );
}

try {
  process.stdout.write(JSON.stringify({ answer: await answer(process.argv[2], process.argv[3]) }));
} catch (error) {
  process.stdout.write(JSON.stringify({ error: toErrorRecord(error) }));
  process.exitCode = 1;
}

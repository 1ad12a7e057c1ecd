import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BACKEND_NAMES, type BackendName, detectBackends } from '#workers/tensor/detectBackends.ts';
import type { BenchResult } from '../benchResult.ts';
import { fillMemory } from './fillMemory.ts';
import { gpuReport, type GpuResults, resultsSchema } from './gpuReport.ts';
import { gpuSteps } from './gpuSteps.ts';
import type { Answer } from './stepCommand.ts';

const USAGE = `bench gpu: everything that is to be found out on a machine with a GPU, in half an hour, resumable
  --out FOLDER      results.json and report.md; what stands in results.json is not done again; default gpu-results
  --minutes N       time for all of it; 30 by default
  --backends a,b    webgpu and tensorflow by default, as far as they are here with a GPU
  --device d        of PyTorch: cuda, the default, or cpu (WARREN_PEER_PYTHON names its Python)
  --only PATTERN    steps alone whose names match this regular expression
  --tiny            sizes that any machine does, to try the script
  --retry           does again what failed`;

/** Of a step that is not a whole run: where something is wrong with it, time is left for the others. */
const MOST_MS = 90_000;

/** Runs the steps of `gpuSteps` that are not done yet; every one's answer is written before the next begins. */
export async function gpuBench(flags: readonly string[]): Promise<BenchResult> {
  const valueAt = (flag: string): string | null => {
    const place = flags.indexOf(flag);
    return place < 0 ? null : (flags[place + 1] ?? '');
  };
  const filled = valueAt('--fill');
  if (filled !== null) {
    console.log(JSON.stringify(await fillMemory(filled, Number(valueAt('--gib')))));
    process.exit(0);
  }
  const refuse = (message: string): never => {
    console.error(`bench: ${message}\n${USAGE}`);
    process.exit(2);
  };
  if (flags.includes('--help')) {
    console.log(USAGE);
    process.exit(0);
  }
  const minutes = Number(valueAt('--minutes') ?? 30);
  if (!(minutes > 0)) refuse(`--minutes: expected a number above 0, got "${valueAt('--minutes')}"`);
  const device = valueAt('--device') ?? 'cuda';
  if (device !== 'cuda' && device !== 'cpu') return refuse(`--device: expected cuda or cpu, got "${device}"`);
  const backends = backendsOf(valueAt('--backends'), refuse);
  const folder = resolve(valueAt('--out') ?? 'gpu-results');
  mkdirSync(folder, { recursive: true });
  const results = readResults(folder, flags.includes('--retry'));
  const only = new RegExp(valueAt('--only') ?? '');
  const end = performance.now() + minutes * 60_000;
  const skipped: string[] = [];
  for (const step of gpuSteps({ backends, device, tiny: flags.includes('--tiny') })) {
    if (step.name in results || !only.test(step.name)) continue;
    const left = end - performance.now();
    if (left < step.minutes * 60_000) {
      skipped.push(step.name);
      continue;
    }
    process.stderr.write(`${step.name} …\n`);
    const started = performance.now();
    const answer: Answer = await step
      .run(Math.floor(Math.min(left, step.isLong === true ? left : MOST_MS)))
      .catch((error: Error) => ({ failed: error.message }));
    results[step.name] = { seconds: (performance.now() - started) / 1000, ...answer };
    writeResults(folder, results);
  }
  const failed = Object.entries(results).flatMap(([name, { failed }]) => (failed === undefined ? [] : [name]));
  const notes = [
    `${Object.keys(results).length} steps are in ${join(folder, 'results.json')}; the table is ${join(folder, 'report.md')}`,
  ];
  if (failed.length > 0) notes.push(`failed: ${failed.join(', ')}`);
  if (skipped.length > 0) notes.push(`no time was left for: ${skipped.join(', ')}; the same command goes on`);
  return { name: 'gpu', ours: {}, peers: {}, ratios: {}, spread: {}, notes };
}

function backendsOf(given: string | null, refuse: (message: string) => never): BackendName[] {
  if (given === null) {
    const here = detectBackends().filter(({ present, isGpu, name }) => present && (isGpu || name === 'wasm'));
    const names = here.map(({ name }) => name);
    return names.some((name) => name !== 'wasm')
      ? names
      : refuse('no backend reaches a GPU here; --backends names others');
  }
  return given
    .split(',')
    .map((word) => BACKEND_NAMES.find((name) => name === word) ?? refuse(`--backends: there is no "${word}"`));
}

function readResults(folder: string, retry: boolean): GpuResults {
  const file = join(folder, 'results.json');
  if (!existsSync(file)) return {};
  const results = resultsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return retry ? Object.fromEntries(Object.entries(results).filter(([, { failed }]) => failed === undefined)) : results;
}

function writeResults(folder: string, results: GpuResults): void {
  const file = join(folder, 'results.json');
  writeFileSync(`${file}.part`, `${JSON.stringify(results, null, 2)}\n`);
  renameSync(`${file}.part`, file);
  writeFileSync(join(folder, 'report.md'), gpuReport(results));
}

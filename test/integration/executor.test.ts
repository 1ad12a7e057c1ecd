import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Report } from '#src/base/contracts/reports.ts';
import { buildFixtures } from './runtime/buildFixtures.ts';
import { startExecutor } from './runtime/localExecutor.ts';
import { slowness } from './support/slowness.ts';

let file: string;
beforeAll(async () => {
  file = (await buildFixtures()).executor;
});

function ofType<Type extends Report['type']>(reports: Report[], type: Type) {
  return reports.filter((report): report is Extract<Report, { type: Type }> => report.type === type);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a run that ends well', () => {
  test('reports metrics with every kind of value, lines, progress, timings and where it ran', async () => {
    const { result } = await startExecutor({ file, kind: 'numbers' });
    const { reports, end, exitCode } = await result;
    expect(end).toEqual({ type: 'finished', outcome: 'succeeded' });
    expect(exitCode).toBe(0);
    const own = ofType(reports, 'metric').filter(({ name }) => name.startsWith('test/'));
    expect(own.map(({ name, step, value }) => [name, step, value])).toEqual([
      ['test/seed', 0, 7],
      ['test/odd', 0, Number.NaN],
      ['test/odd', 2 ** 53 - 1, Number.POSITIVE_INFINITY],
    ]);
    expect(ofType(reports, 'progress').at(-1)).toMatchObject({ fraction: 0.5, message: 'half way' });
    expect(ofType(reports, 'log').map(({ line, text }) => [line, text])).toEqual([[0, 'a line']]);
    const environment = Object.assign({}, ...ofType(reports, 'environment').map(({ values }) => values));
    expect(environment).toMatchObject({
      seed: 7,
      node: process.version,
      timings: { compute: 2 },
      notes: { share: 0.25 },
    });
    expect(environment.peakRssMb).toBeGreaterThan(10);
    expect(environment, 'it used neither tensors nor kernels').toMatchObject({ backend: 'cpu' });
    expect(environment).not.toHaveProperty('peakTensorBytes');
    expect(environment.timings.load).toBeGreaterThan(0);
    const system = ofType(reports, 'metric').filter(({ name }) => name === 'system/memory_mb');
    expect(system.length).toBeGreaterThan(0);
    expect(system[0]).toMatchObject({ step: 0 });
  });

  test('has what it writes to stdout and stderr as numbered log lines', async () => {
    const { result } = await startExecutor({ file, kind: 'output' });
    const lines = ofType((await result).reports, 'log');
    expect(lines.map(({ line }) => line)).toEqual(lines.map((_, index) => index));
    const told = lines.map(({ level, text }) => `${level} ${text}`);
    expect(told.sort()).toEqual(['error written to stderr', 'info no newline at the end', 'info written to stdout']);
  });

  test('delivers a flood of points whole and in order', async () => {
    const { result } = await startExecutor({ file, kind: 'flood', task: { parameters: { points: 300_000 } } });
    const { reports, sequences } = await result;
    expect(sequences).toEqual(sequences.map((_, index) => index));
    const steps = ofType(reports, 'metric').filter(({ name }) => name === 'test/flood');
    expect(steps).toHaveLength(300_000);
    expect(steps.every(({ step }, index) => step === index)).toBe(true);
  });

  test('sends no more than its credit while nothing is acknowledged, and goes on when it is', async () => {
    const parameters = { points: 120_000 };
    const running = await startExecutor({ file, kind: 'flood', task: { parameters }, acknowledges: false });
    let seen = 0;
    running.child.on('message', (message: { type: string; sequence?: number }) => {
      if (message.type === 'reports') seen = Math.max(seen, (message.sequence ?? 0) + 1);
    });
    await vi.waitUntil(() => seen >= 50, { timeout: 20_000 });
    expect(seen).toBe(50);
    running.child.on('message', (message: { type: string; sequence?: number }) => {
      if (message.type === 'reports') running.send({ type: 'acknowledge', sequence: message.sequence ?? 0 });
    });
    for (let sequence = 0; sequence < 50; sequence++) running.send({ type: 'acknowledge', sequence });
    const { reports, end } = await running.result;
    expect(end).toEqual({ type: 'finished', outcome: 'succeeded' });
    expect(ofType(reports, 'metric').filter(({ name }) => name === 'test/flood')).toHaveLength(120_000);
  });
});

describe('a run with tensors', () => {
  const environmentOf = (reports: Report[]): Record<string, unknown> =>
    Object.assign({}, ...ofType(reports, 'environment').map(({ values }) => values));

  test.each(['wasm', 'cpu'])('computes on the forced %s, and its environment says so', async (backend) => {
    const { result } = await startExecutor({ file, kind: 'tensors', task: { backend, threads: 2 } });
    const { reports, end, exitCode } = await result;
    expect([end, exitCode]).toEqual([{ type: 'finished', outcome: 'succeeded' }, 0]);
    const values = ofType(reports, 'metric').filter(({ name }) => name.startsWith('test/'));
    expect(values.map(({ value }) => value)).toEqual([1, 64]);
    const environment = environmentOf(reports);
    expect(environment).toMatchObject({ backend, backendReason: 'forced by WARREN_BACKEND' });
    expect(environment.versions).toMatchObject({ 'tfjs-core': '4.22.0', node: process.versions.node });
    expect(environment.peakTensorBytes).toBeGreaterThanOrEqual(3 * 64 * 64 * 4);
  });

  test('fails where it needs a GPU and there is none, with what was looked for', async () => {
    const task = { backend: 'wasm', parameters: { requires: 'gpu' } };
    const { result } = await startExecutor({ file, kind: 'tensors', task });
    expect((await result).end).toMatchObject({
      type: 'failed',
      error: { code: 'UNAVAILABLE', message: expect.stringMatching(/needs a GPU/) },
    });
  });

  test('that is too large fails with what it needs and what there is', async () => {
    const task = { backend: 'wasm', parameters: { hugeMebibytes: 5_000 } };
    const { result } = await startExecutor({ file, kind: 'tensors', task });
    const { end } = await result;
    expect(end).toMatchObject({ type: 'failed', error: { code: 'OUT_OF_MEMORY' } });
    expect(end?.type === 'failed' && end.error.message).toMatch(/5,?000 MiB.*4,?09[56] MiB/);
  });
});

describe('artifacts', () => {
  test('are stored before they are reported, and a checkpoint comes after the metrics before it', async () => {
    const { result, task } = await startExecutor({ file, kind: 'artifacts' });
    const { reports, end } = await result;
    expect(end).toEqual({ type: 'finished', outcome: 'succeeded' });
    const found = ofType(reports, 'artifact');
    expect(found.map(({ name, role, step }) => [name, role, step])).toEqual([
      ['checkpoint/latest', 'checkpoint', 1],
      ['folder/result.txt', 'output', undefined],
    ]);
    const folder = 'folder' in task.artifactSink ? task.artifactSink.folder : '';
    expect(await readFile(join(folder, 'folder/result.txt'), 'utf8')).toBe('result');
    expect(found[1]?.sha256).toBe(createHash('sha256').update('result').digest('hex'));
    const loss = reports.findIndex((report) => report.type === 'metric' && report.name === 'train/loss');
    expect(loss).toBeLessThan(reports.findIndex((report) => report.type === 'artifact'));
    expect(existsSync(task.workFolder)).toBe(false);
  });

  test('of other runs and the last checkpoint are read and checked', async () => {
    const first = await startExecutor({ file, kind: 'artifacts' });
    await first.result;
    const path = join('folder' in first.task.artifactSink ? first.task.artifactSink.folder : '', 'input.bin');
    await writeFile(path, 'input bytes');
    const sha256 = createHash('sha256').update('input bytes').digest('hex');
    const source = { name: 'input.bin', sha256, sizeBytes: 11, url: pathToFileURL(path).href };
    const task = { inputs: { embedding: source }, checkpoint: { ...source, step: 3 } };
    const { reports } = await (await startExecutor({ file, kind: 'artifacts', task })).result;
    const lines = ofType(reports, 'log').map(({ text }) => text);
    expect(lines).toContain('checkpoint: input bytes');
    expect(lines).toContain('input embedding: input bytes');

    const damaged = { inputs: { embedding: { ...source, sha256: 'f'.repeat(64) } } };
    const { end } = await (await startExecutor({ file, kind: 'artifacts', task: damaged })).result;
    expect(end).toMatchObject({ type: 'failed', error: { code: 'DATA_ERROR' } });
  });
});

describe('a run that fails', () => {
  test.each([
    ['throws', 'RUN_FAILED', 'the experiment is wrong'],
    ['rejects', 'RUN_FAILED', 'nobody waits for this'],
    ['exits', 'RUN_FAILED', 'exit code 3'],
    ['unknown', 'BAD_INPUT', 'no experiment unknown'],
    ['bufferHog', 'OUT_OF_MEMORY', 'allocation failed'],
  ])('%s: ends with %s and says why', async (kind, code, message) => {
    const { end, exitCode } = await (await startExecutor({ file, kind })).result;
    expect(end).toMatchObject({ type: 'failed', error: { code, message: expect.stringContaining(message) } });
    expect(end?.type === 'failed' && end.error.stack).toContain(message);
    expect(exitCode).toBe(0);
  });

  test('for want of heap ends with OUT_OF_MEMORY', async () => {
    const running = await startExecutor({ file, kind: 'heapHog', execArgv: ['--max-old-space-size=64'] });
    const { end } = await running.result;
    expect(end).toMatchObject({ type: 'failed', error: { code: 'OUT_OF_MEMORY' } });
  });
});

describe('cancellation', () => {
  test.each(['polite', 'stubborn'])('ends a %s experiment within two seconds', async (kind) => {
    const running = await startExecutor({ file, kind });
    await vi.waitUntil(() => ofType(running.reports, 'metric').some(({ name }) => name === 'test/value'), {
      timeout: 20_000,
    });
    const askedMs = performance.now();
    running.send({ type: 'cancel' });
    const { end } = await running.result;
    expect(end).toEqual({ type: 'finished', outcome: 'cancelled' });
    expect(performance.now() - askedMs).toBeLessThan(2_000 * slowness());
  });
});

test('an executor whose parent is gone ends at once', async () => {
  const running = await startExecutor({ file, kind: 'stubborn' });
  await vi.waitUntil(() => running.reports.length > 0, { timeout: 20_000 });
  running.child.disconnect();
  await running.result;
  expect(isAlive(running.child.pid!)).toBe(false);
});

test('a run of a newer version of its kind is refused, with what would help', async () => {
  const { end } = await (await startExecutor({ file, kind: 'popularity', task: { kindVersion: 99 } })).result;
  const message =
    'the run is of version 99 of popularity, and this worker computes version 1: update the worker, then retry the run';
  expect(end).toMatchObject({ error: { code: 'CONFLICT', message } });
});

describe('a dataset that is not what it was', () => {
  test.each([
    ['amazon-beauty', [], 'dataset "amazon-beauty" is not the one that Warren knows: its fingerprint is '],
    ['shop', ['e'.repeat(64)], 'dataset "shop" has other content than in earlier runs: its fingerprint is '],
  ])('is told in the log and as an event: %s', async (name, earlierFingerprints, words) => {
    const folder = await mkdtemp(join(tmpdir(), 'warren-data-'));
    await writeFile(join(folder, `${name}.txt`), '1 10 20 30\n2 20 30 10\n3 30 10 20\n');
    const dataset = { name };
    const task = { dataset, dataFolders: [folder], earlierFingerprints };
    const { reports, end } = await (await startExecutor({ file, kind: 'numbers', task })).result;
    expect(end).toEqual({ type: 'finished', outcome: 'succeeded' });
    expect(ofType(reports, 'warning').map(({ message }) => message)).toEqual([expect.stringContaining(words)]);
    const logged = ofType(reports, 'log').filter(({ level }) => level === 'warn');
    expect(logged.map(({ text }) => text)).toEqual([expect.stringContaining(words)]);
    await rm(folder, { recursive: true });
  });
});

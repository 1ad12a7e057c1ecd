import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import type { Arithmetic } from '#src/base/contracts/arithmetic.ts';
import type { ExecutorTask } from '#src/base/contracts/executorMessages.ts';
import type { ArtifactReport, Report } from '#src/base/contracts/reports.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { fusedSupport } from '#workers/wasm/calls/fusedSupport.ts';
import { openblasSupport } from '#workers/wasm/calls/openblasSupport.ts';
import { pointText } from './runtime/chaosFacts.ts';
import { type ExecutorResult, startExecutor } from './runtime/localExecutor.ts';

const CONFIGURATION = resolveConfiguration({
  kind: 'sasrec',
  dataset: 'generated/markov-small',
  parameters: { dimension: 16, epochs: 14, batchSize: 32, evaluateEvery: 4, checkpointEvery: 2, maximumLength: 20 },
  preset: null,
});

function start(over: Partial<ExecutorTask> = {}) {
  const { parameters, dataset } = CONFIGURATION;
  const task = { seed: 5, parameters, dataset, backend: 'wasm', threads: 2, ...over };
  return startExecutor({ file: builtFile('executor.js'), kind: 'sasrec', task });
}

/** Points after a step, in order, less what depends on the machine. */
function pointsAfter(reports: readonly Report[], step: number): string[] {
  return reports.flatMap((report) =>
    report.type === 'metric' && report.step > step && !report.name.startsWith('system/') ? [pointText(report)] : [],
  );
}

function checkpoints(reports: readonly Report[]): ArtifactReport[] {
  return reports.filter((report) => report.type === 'artifact').filter(({ role }) => role === 'checkpoint');
}

/** Null while there is no such file. */
function sha256Of(path: string): string | null {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return null;
  }
}

const undisturbedRun = start().then((running) => running.result);

test('a network whose training is killed goes on from its last checkpoint to the same metrics to the bit', async () => {
  await goesOnToTheBit(await undisturbedRun, 'plain');
});

test.skipIf(fusedSupport() !== 'fused')(
  'so does one with fused multiply-adds, whatever the worker that goes on begins others with; its metrics are others',
  async () => {
    const undisturbed = await (await start({ arithmetic: 'fused' })).result;
    expect(environmentOf(undisturbed.reports)).toMatchObject({
      arithmetic: 'fused',
      device: expect.stringMatching(/fused multiply-adds$/),
    });
    const plain = await undisturbedRun;
    expect(environmentOf(plain.reports)).toMatchObject({ arithmetic: 'plain' });
    expect(pointsAfter(undisturbed.reports, 0)).not.toEqual(pointsAfter(plain.reports, 0));
    await goesOnToTheBit(undisturbed, 'fused');
  },
);

test.skipIf('reason' in openblasSupport())(
  'so does one whose matrices OpenBLAS multiplies, whatever the worker that goes on begins others with',
  async () => {
    const undisturbed = await (await start({ arithmetic: 'openblas' })).result;
    expect(environmentOf(undisturbed.reports)).toMatchObject({
      arithmetic: 'openblas',
      device: expect.stringMatching(/products by OpenBLAS$/),
      versions: { openblas: expect.stringMatching(/^OpenBLAS \d/) },
    });
    await goesOnToTheBit(undisturbed, 'openblas');
  },
);

function environmentOf(reports: readonly Report[]): Record<string, unknown> {
  return Object.assign({}, ...reports.flatMap((report) => (report.type === 'environment' ? [report.values] : [])));
}

/** Kills a run after its second checkpoint; a worker that begins runs with the other arithmetic takes it over. */
async function goesOnToTheBit(undisturbed: ExecutorResult, arithmetic: Arithmetic): Promise<void> {
  expect(undisturbed.end).toEqual({ type: 'finished', outcome: 'succeeded' });

  const victim = await start({ arithmetic });
  const sink = victim.task.artifactSink;
  const path = join('folder' in sink ? sink.folder : '', 'checkpoint/latest');
  const stored = () => checkpoints(undisturbed.reports).find(({ sha256 }) => sha256 === sha256Of(path));
  // By the file itself: what the run reports comes in batches, the last of which may hold its end.
  await vi.waitUntil(() => (stored()?.step ?? 0) >= 4, { timeout: 60_000, interval: 1 });
  process.kill(victim.child.pid!, 'SIGKILL');
  expect((await victim.result).signal).toBe('SIGKILL');
  expect(victim.reports.some((report) => report.type === 'metric' && report.name === 'test/ndcg@10')).toBe(false);

  // what was stored last, whether or not there was time to tell: the undisturbed run had the same bytes
  const kept = stored();
  expect(kept?.step).toBeGreaterThanOrEqual(4);
  const { name, sha256, sizeBytes, step } = kept!;
  const other = arithmetic === 'plain' && fusedSupport() === 'fused' ? 'fused' : 'plain';
  const checkpoint = { name, sha256, sizeBytes, step: step!, url: pathToFileURL(path).href };
  const resumed = await (await start({ checkpoint, arithmetic: other, checkpointArithmetic: arithmetic })).result;
  expect(resumed.end).toEqual({ type: 'finished', outcome: 'succeeded' });
  expect(environmentOf(resumed.reports)).toMatchObject({ arithmetic });
  const points = pointsAfter(resumed.reports, 0);
  expect(points).toEqual(pointsAfter(undisturbed.reports, step!));
  expect(points.some((point) => point.startsWith('test/ndcg@10 14 '))).toBe(true);
}

test('a network that is stopped early leaves what it was at its last validation, and goes on from there', async () => {
  const undisturbed = await undisturbedRun;
  const parameters = { ...CONFIGURATION.parameters, checkpointEvery: 0 };
  const pruned = await start({ mayBePruned: true, parameters });
  const validated = () =>
    pruned.reports.findLast((report) => report.type === 'metric' && report.name === 'valid/ndcg@10');
  await vi.waitUntil(() => validated() !== undefined, { timeout: 60_000, interval: 1 });
  expect(checkpoints(pruned.reports)).toEqual([]);
  pruned.send({ type: 'prune' });
  expect((await pruned.result).end).toEqual({ type: 'finished', outcome: 'cancelled' });
  const last = validated();
  const [kept] = checkpoints(pruned.reports);
  expect(kept).toMatchObject({ name: 'checkpoint/latest', step: last?.type === 'metric' ? last.step : null });

  const sink = pruned.task.artifactSink;
  const path = join('folder' in sink ? sink.folder : '', 'checkpoint/latest');
  const { name, sha256, sizeBytes, step } = kept!;
  const resumed = await (
    await start({ checkpoint: { name, sha256, sizeBytes, step: step!, url: pathToFileURL(path).href } })
  ).result;
  expect(pointsAfter(resumed.reports, 0)).toEqual(pointsAfter(undisturbed.reports, step!));
});

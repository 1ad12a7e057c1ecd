import { beforeAll, describe, expect, it } from 'vitest';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import type { Report } from '#src/base/contracts/reports.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { buildFixtures } from './runtime/buildFixtures.ts';
import { pointText } from './runtime/chaosFacts.ts';
import { openExecutor, type TaskChoice } from './runtime/runTasks.ts';
import { atEndOfFile } from './support/atEndOfFile.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';

const scratch = temporaryFolder();
let fixtures: string;
beforeAll(async () => {
  fixtures = (await buildFixtures()).executor;
});

function open(file: string) {
  const opened = openExecutor(file, scratch);
  const { executor } = opened;
  atEndOfFile(async () => {
    executor.kill({ code: 'CANCELLED', message: 'the test is over' });
    await executor.ended;
  });
  return opened;
}

function ofType<Type extends Report['type']>(reports: readonly Report[], type: Type) {
  return reports.filter((report): report is Extract<Report, { type: Type }> => report.type === type);
}

/** What a run measured, less what depends on the machine. */
function measured(reports: readonly Report[]): string[] {
  const own = ofType(reports, 'metric').filter(({ name }) => !name.startsWith('system/'));
  return own.map(pointText);
}

/** A run of a real kind on generated sequences. */
function realTask(kind: string, parameters: Record<string, unknown>, threads: number): TaskChoice {
  const dataset = 'generated/markov-small';
  const configuration = resolveConfiguration({ kind, dataset, parameters, preset: null });
  return { kind, parameters: configuration.parameters, dataset: configuration.dataset, threads };
}

const SMALL = { dimension: 8, epochs: 2, batchSize: 32, maximumLength: 10 };
const TASKS: Readonly<Record<string, TaskChoice>> = {
  overrec: realTask('overrec', {}, 2),
  sasrec: realTask('sasrec', SMALL, 2),
  itemKnn: realTask('item-knn', {}, 1),
  mfBpr: realTask('mf-bpr', { dimension: 8, epochs: 2 }, 1),
};

describe('an executor that has ended a run well', () => {
  it('executes others, each to the bit as a fresh one does, with its own facts', async () => {
    const facts = async (name: string, { run }: ReturnType<typeof openExecutor>) => {
      const { reports, end, isFree } = await run(TASKS[name]!);
      expect({ name, end, isFree }).toEqual({ name, end: { type: 'finished', outcome: 'succeeded' }, isFree: true });
      const environment = Object.assign({}, ...ofType(reports, 'environment').map(({ values }) => values));
      return { measured: measured(reports), backend: environment.backend, threads: environment.threads };
    };
    const fresh = new Map<string, Awaited<ReturnType<typeof facts>>>();
    for (const name of Object.keys(TASKS)) fresh.set(name, await facts(name, open(builtFile('executor.js'))));
    expect(fresh.get('itemKnn')!.measured.length).toBeGreaterThan(10);

    const shared = open(builtFile('executor.js'));
    for (const name of ['sasrec', 'overrec', 'itemKnn', 'mfBpr', 'sasrec', 'overrec']) {
      expect(await facts(name, shared), name).toEqual(fresh.get(name));
    }
  });

  it('begins anew with lines, sequences, timings and the backend that is named', async () => {
    const { run } = open(fixtures);
    const first = await run({ kind: 'tensors', backend: 'wasm' });
    expect(first).toMatchObject({ end: { type: 'finished', outcome: 'succeeded' }, isFree: true });
    for (let turn = 0; turn < 2; turn++) {
      const { reports, isFree } = await run({ kind: 'numbers' });
      expect(isFree).toBe(true);
      expect(ofType(reports, 'log').map(({ line, text }) => [line, text])).toEqual([[0, 'a line']]);
      const environment = Object.assign({}, ...ofType(reports, 'environment').map(({ values }) => values));
      expect(environment).toMatchObject({ backend: 'cpu', timings: { compute: 2 } });
      expect(environment).not.toHaveProperty('peakTensorBytes');
    }
    const { reports } = await run({ kind: 'output' });
    const told = ofType(reports, 'log').map(({ level, text }) => `${level} ${text}`);
    expect(told.sort()).toEqual(['error written to stderr', 'info no newline at the end', 'info written to stdout']);
  });
});

describe('an executor makes way for a fresh one after a run that', () => {
  it.each(['throws', 'exits', 'leavesThread'])('%s', async (kind) => {
    const { executor, run } = open(fixtures);
    expect((await run({ kind: 'numbers' })).isFree).toBe(true);
    expect((await run({ kind })).isFree).toBe(false);
    expect(await executor.ended).toMatchObject({ code: 0, killedFor: null });
  });

  it('fails only when the next one is awaited', async () => {
    const { executor, run } = open(fixtures);
    expect(await run({ kind: 'failsLater' })).toMatchObject({ end: { type: 'finished', outcome: 'succeeded' } });
    expect(await executor.ended).toMatchObject({ killedFor: null });
  });

  it('was not asked to stay', async () => {
    const { executor, run } = open(fixtures);
    expect((await run({ kind: 'numbers', mayStay: false })).isFree).toBe(false);
    expect(await executor.ended).toMatchObject({ code: 0, killedFor: null });
  });
});

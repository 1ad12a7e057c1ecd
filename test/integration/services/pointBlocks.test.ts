import { describe, expect, it } from 'vitest';
import { createExternalRun, forkExternalRun } from '#src/external/externalRuns.ts';
import { logExternalMetrics } from '#src/external/logExternal.ts';
import { resumeExternalRun } from '#src/external/resumeExternalRun.ts';
import { metricHistory } from '#src/metrics/metricHistory.ts';
import { newMetrics } from '#src/metrics/newMetrics.ts';
import { packPoints } from '#src/metrics/packPoints.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { noteFlush } from '#src/mlflow/store/changeTrackedRun.ts';
import { readHistory } from '#src/metrics/store/metricHistory.ts';
import { readPointsAfter } from '#src/metrics/store/metricPoints.ts';
import { listSeries } from '#src/metrics/store/metricSeries.ts';
import { packSeries } from '#src/metrics/store/packPoints.ts';
import { recordMetricPoints } from '#src/metrics/store/recordMetricPoints.ts';
import { recordRepeatedPoints } from '#src/metrics/store/recordRepeatedPoints.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const context = await servicesForTests(postgres.url);
const NAME = 'train/loss';
const LONG_AGO = Date.UTC(2026, 0, 1);

/** Far apart for far steps. */
const timeAt = (step: number) => LONG_AGO + (step % 1e9) * 10;
const range = (count: number, from = 0, stride = 1) =>
  Array.from({ length: count }, (_, index) => from + index * stride);

async function aRun(): Promise<string> {
  return (await createExternalRun(context, { project: 'blocks' })).id;
}

async function log(runId: string, steps: readonly number[], valueAt = (step: number) => Math.sin(step), name = NAME) {
  const values = steps.map(valueAt);
  return await logExternalMetrics(context, {
    runId,
    series: [{ name, steps, values, times: steps.map(timeAt) }],
  });
}

/** As programs without a lease and workers write them: while their run is locked. */
async function logLocked(runId: string, steps: readonly number[], valueAt = (step: number) => Math.sin(step)) {
  const points = steps.map((step) => ({ name: NAME, step, value: valueAt(step), timeMs: timeAt(step) }));
  return await inTransaction(context.db, async (connection) => {
    const cursor = await noteFlush(connection, runId);
    return await recordMetricPoints(connection, { runId, cursor }, points);
  });
}

async function pack(): Promise<number> {
  const place = { after: '-1' };
  let points = 0;
  for (let more = true; more; ) {
    const packed = await packPoints(context, place);
    points += packed.points;
    more = packed.more;
  }
  return points;
}

async function countLoose(): Promise<number> {
  const [row] = await context.db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM metric_point`;
  return row!.count;
}

/** The series as its readers have it, and as its summary does. */
async function seriesOf(runId: string, maxPoints = 20_000) {
  const [history] = await metricHistory(context, { runIds: [runId], names: [NAME], maxPoints });
  const [summary] = await listSeries(context.db, [runId], [NAME]);
  return { history: history!, summary: summary! };
}

async function expectPoints(runId: string, expected: ReadonlyMap<number, number>): Promise<void> {
  const { history, summary } = await seriesOf(runId);
  const steps = [...expected.keys()].sort((a, b) => a - b);
  const values = steps.map((step) => expected.get(step)!);
  const finite = values.filter(Number.isFinite);
  expect(history.steps).toEqual(steps);
  expect(history.values).toEqual(values);
  expect(history.times).toEqual(steps.map(timeAt));
  expect(summary).toMatchObject({ pointCount: steps.length, lastStep: steps.at(-1), lastValue: values.at(-1) });
  expect([summary.minimum, summary.maximum]).toEqual(
    finite.length === 0 ? [null, null] : [Math.min(...finite), Math.max(...finite)],
  );
}

describe('points in blocks', () => {
  it.each([
    ['at once', log],
    ['while their run is locked', logLocked],
  ])('are the same points, written %s: in order, late, again, odd, and after each packing', async (_, write) => {
    const runId = await aRun();
    const expected = new Map<number, number>();
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, -0.1];
    const rounds: { steps: number[]; valueAt?: (step: number) => number }[] = [
      { steps: [0, 1] },
      { steps: range(500, 10) },
      { steps: range(300, 1_000, 7), valueAt: (step) => odd[step % 5]! },
      // again, with other values, which are not taken; and between the others
      { steps: range(700, 5), valueAt: () => 1e9 },
      { steps: [3, 2_999, 1_001], valueAt: (step) => -step },
      { steps: [2 ** 53 - 1, 2 ** 53] },
      { steps: range(130, 4_000).map((step) => step + (step % 3) * 1_000), valueAt: (step) => step },
    ];
    for (const { steps, valueAt = Math.sin } of rounds) {
      const fresh = steps.filter((step) => !expected.has(step));
      for (const step of fresh) expected.set(step, valueAt(step));
      const before = await countLoose();
      expect(await write(runId, steps, valueAt)).toBe(fresh.length);
      if (fresh[0] === 1_000) expect(await countLoose()).toBe(before);
      expect(await write(runId, steps, valueAt)).toBe(0);
      await expectPoints(runId, expected);
      await pack();
      expect(await countLoose()).toBe(0);
      await expectPoints(runId, expected);
    }
    // piece by piece, and by what was flushed
    const { summary, history } = await seriesOf(runId);
    let steps: number[] = [];
    for (let afterStep = -1; ; afterStep = steps.at(-1)!) {
      const part = await readPointsAfter(context.db, summary.id, { afterStep, limit: 333 });
      steps = steps.concat(part.steps);
      if (part.steps.length < 333) break;
    }
    expect(steps).toEqual(history.steps);
    let found = 0;
    for (let after = 0, more = true; more; ) {
      const part = await newMetrics(context, { runId, after });
      found += part.series.reduce((sum, one) => sum + one.steps.length, 0);
      ({ cursor: after, more } = part);
    }
    expect(found).toBe(expected.size);
    const { series } = await newMetrics(context, { runId, after: history.cursor - 2 });
    expect(series[0]!.steps.length).toBe(new Set(rounds.at(-1)!.steps).size);
  });

  it('give the same buckets as rows do, whole ones and parts, also where steps are odd', async () => {
    const [packed, loose] = [await aRun(), await aRun()];
    const steps = [...range(900, 3, 5), ...range(600, 5_000).filter((step) => step % 7 !== 3)];
    for (const runId of [packed, loose]) await log(runId, [0]);
    await log(packed, steps);
    await pack();
    for (let from = 0; from < steps.length; from += 90) await log(loose, steps.slice(from, from + 90));
    for (const maxPoints of [1, 9, 100]) {
      const { runId: _, cursor: __, ...blocks } = (await seriesOf(packed, maxPoints)).history;
      expect((await seriesOf(loose, maxPoints)).history).toMatchObject(blocks);
    }
    // parts of the series are alike, too, but that pieces of whole blocks may reach a little beyond
    const part = async (runId: string, maxPoints: number, fromStep: number, toStep: number) => {
      const [history] = await metricHistory(context, { runIds: [runId], names: [NAME], maxPoints, fromStep, toStep });
      return history && { steps: history.steps, values: history.values, low: history.minimum, high: history.maximum };
    };
    for (const [from, to] of [
      [0, 0],
      [17, 430],
      [200, 100_000],
      [5_000, 6_000],
    ] as const) {
      expect(await part(packed, 100, from, to)).toEqual(await part(loose, 100, from, to));
    }
  });

  it('go when a program begins again after a step, and are branched off', async () => {
    const runId = await aRun();
    await pack();
    await log(runId, [0]);
    await log(runId, range(1_000, 1));
    expect(await countLoose()).toBe(1);
    const fork = await forkExternalRun(context, { runId, step: 600 });
    await resumeExternalRun(context, { runId, afterStep: 300 });
    const left = new Map(range(301).map((step) => [step, Math.sin(step)]));
    await expectPoints(runId, left);
    for (const step of range(400, 301)) left.set(step, step);
    expect(await log(runId, range(400, 301), (step) => step)).toBe(400);
    await pack();
    await expectPoints(runId, left);
    await expectPoints(fork.id, new Map(range(601).map((step) => [step, Math.sin(step)])));
  });

  it.each([
    ['a program', log],
    ['MLflow’s clients', logLocked],
  ])('of %s may be logged again by those of MLflow: every different value is kept', async (_, write) => {
    const runId = await aRun();
    await write(runId, [0]);
    await write(runId, range(300, 1));
    const again = (step: number, later: number, value: number) => ({
      name: NAME,
      step,
      value,
      timeMs: timeAt(step) + later,
    });
    await inTransaction(context.db, async (connection) => {
      const points = [again(5, 10, 50), again(6, -10, 60), again(-1, 0, 70), again(7, 0, Math.sin(7))];
      await recordRepeatedPoints(connection, { runId, cursor: 9 }, points);
    });
    await pack();
    const { values } = (await seriesOf(runId)).history;
    expect([values.length, ...values.slice(0, 9)]).toEqual([
      302,
      70,
      ...range(5).map(Math.sin),
      50,
      ...[6, 7].map(Math.sin),
    ]);
    const history = await readHistory(context.db, { runId, name: NAME }, { offset: 0, limit: null });
    expect(history.values.length).toBe(304);
    expect(history.values.filter((value) => value > 1)).toEqual([70, 60, 50]);
  });

  it('of a long series give buckets from their summaries, of all points once', async () => {
    const runId = await aRun();
    await log(runId, [0]);
    await log(runId, range(50_000, 1));
    await log(runId, [60_000], () => 7);
    const { history } = await seriesOf(runId, 20);
    expect(history.pointCount).toBe(50_002);
    expect(history.steps.length).toBeLessThanOrEqual(20);
    expect(history.steps.at(-1)).toBe(60_000);
    expect(history.values.at(-1)).toBe(7);
    expect(history.maximum!.every((value) => value > 0.999)).toBe(true);
    history.steps.slice(0, -2).forEach((step, index) => {
      expect(history.values[index]).toBe(Math.sin(step));
      expect(step).toBeLessThan(3_001 * (index + 1));
      expect(step).toBeGreaterThan(3_001 * (index + 1) - 500);
    });
  });

  it('are packed whole or not at all, and never while somebody writes to their run', async () => {
    await pack();
    const runId = await aRun();
    await log(runId, range(50));
    const [{ id } = { id: '' }] = await listSeries(context.db, [runId]);
    const cut = inTransaction(context.db, async (connection) => {
      expect(await packSeries(connection, runId, [id])).toEqual({ points: 50, left: [] });
      // a process that was killed here
      await connection.$executeRaw`SELECT pg_terminate_backend(pg_backend_pid())`;
    });
    await expect(cut).rejects.toThrow();
    expect(await countLoose()).toBe(50);
    await inTransaction(context.db, async (connection) => {
      await connection.$queryRaw`SELECT id FROM run WHERE id = ${runId}::uuid FOR NO KEY UPDATE`;
      expect(await pack()).toBe(0);
    });
    expect(await pack()).toBe(50);
    await expectPoints(runId, new Map(range(50).map((step) => [step, Math.sin(step)])));
  });

  it('of many new runs are packed in a few transactions, and the rows of a run to which somebody writes stay', async () => {
    await pack();
    const steps = [0, 1, 5, 2 ** 53];
    const odd = (step: number) => (step === 1 ? Number.NaN : step / 3);
    const runs = await Promise.all(range(40).map(aRun));
    for (const runId of runs) await log(runId, steps, odd);
    const packed = runs.slice(1);
    const known = await context.db.$queryRaw<{ id: string }[]>`SELECT series_id::text AS id FROM metric_block`;
    await inTransaction(context.db, async (connection) => {
      await connection.$queryRaw`SELECT id FROM run WHERE id = ${runs[0]}::uuid FOR NO KEY UPDATE`;
      expect(await pack()).toBe(packed.length * steps.length);
    });
    const [written] = await context.db.$queryRaw<{ transactions: number }[]>`
      SELECT count(DISTINCT xmin::text)::int AS transactions FROM metric_block
      WHERE series_id::text <> ALL(${known.map(({ id }) => id)})`;
    expect(written!.transactions).toBeLessThan(5);
    expect(await countLoose()).toBe(steps.length);
    expect(await pack()).toBe(steps.length);
    expect(await countLoose()).toBe(0);
    for (const runId of runs) await expectPoints(runId, new Map(steps.map((step) => [step, odd(step)])));
  });
});

describe('calls that come at the same time', () => {
  it('are written together, each whole or not at all: those that cannot be fail alone', async () => {
    const runs = await Promise.all(range(12).map(aRun));
    for (const runId of runs) await log(runId, [0]);
    const missing = '00000000-0000-4000-8000-000000000000';
    const calls = [missing, ...runs].flatMap((runId) => [
      log(runId, [1, 2]),
      log(runId, [2, 3, -1]),
      log(runId, [2, 3]),
    ]);
    const ended = await Promise.allSettled(calls);
    ended.forEach((end, index) => {
      const [which, call] = [Math.floor(index / 3), index % 3];
      if (call === 1) expect(end).toMatchObject({ reason: { code: 'BAD_INPUT' } });
      else if (which === 0) expect(end).toMatchObject({ reason: { code: 'NOT_FOUND' } });
      else expect(end).toMatchObject({ value: call === 0 ? 2 : 1 });
    });
    const expected = new Map(range(4).map((step) => [step, Math.sin(step)]));
    for (const runId of runs) await expectPoints(runId, expected);
  });
});

import { expect, it } from 'vitest';
import { createExternalRun } from '#src/external/externalRuns.ts';
import { logExternalLines } from '#src/external/logExternal.ts';
import { readLogs } from '#src/logs/readLogs.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { postgresForTests } from '../support/postgresForTests.ts';
import { aHeldRun, aWorker, servicesForTests } from './support.ts';

const postgres = await postgresForTests();
const services = await servicesForTests(postgres.url);
/** Of 156 bytes each, 100 of them for its row. */
const textOf = (line: number) => `${line}`.padEnd(56);
const logBytes = 64 * 1024;
const context: ServiceContext = { ...services, logBytes };

async function logOf(runId: string) {
  const { lines, hasMore } = await readLogs(context, { runId, first: 10_000 });
  expect(hasMore).toBe(false);
  return lines;
}

it('the beginning and the end of a long log stay, and a line between them says so', async () => {
  const run = await createExternalRun(context, { project: 'long' });
  const callOf = (from: number) => ({
    runId: run.id,
    from,
    lines: Array.from({ length: 50 }, (_, index) => ({ text: textOf(from + index) })),
  });
  const call = async (from: number) => await logExternalLines(context, callOf(from));
  for (let from = 0; from < 5_000; from += 50) expect(await call(from)).toBe(50);
  const lines = await logOf(run.id);
  const cut = lines.findIndex(({ text }) => text.includes('left out'));
  expect(lines[cut]!.line).toBe(cut);
  // three quarters, and the call in which they were passed
  expect(cut * 156).toBeGreaterThan(0.75 * logBytes);
  expect((cut - 50) * 156).toBeLessThanOrEqual(0.75 * logBytes);
  const after = lines.slice(cut + 1);
  expect(after.map(({ line }) => line)).toEqual(after.map((_, index) => 5_000 - after.length + index));
  expect(after.at(-1)?.text).toBe(textOf(4_999));
  expect(after.length * 156).toBeGreaterThan(0.24 * logBytes);
  expect(lines.length * 156).toBeLessThan(1.25 * logBytes);
  const count = (after[0]!.line - cut).toLocaleString('en');
  const told = `… ${count} lines are left out here: a log keeps 64.0 KiB, its beginning and its end (WARREN_LOG_MB)`;
  expect(lines[cut]).toMatchObject({ level: 'warn', text: told });
  // a call whose answer was lost comes again
  expect(await call(4_950)).toBe(0);
  expect(await logOf(run.id)).toEqual(lines);
});

it('lines without text count, and one very long line, too', async () => {
  const worker = await aWorker(context);
  const { run, holder } = await aHeldRun(context, worker);
  const record = async (from: number, count: number, text: string) => {
    const reports = Array.from({ length: count }, (_, index) => {
      return { type: 'log', line: from + index, level: 'info', text, timeMs: from } as const;
    });
    await recordReports(context, { ...holder, reports });
  };
  for (let from = 0; from < 3_000; from += 100) await record(from, 100, '');
  const lines = await logOf(run.id);
  expect(lines.length).toBeLessThan((1.25 * logBytes) / 100);
  expect(lines.at(-1)?.line).toBe(2_999);
  await record(3_000, 3, 'x'.repeat(2 * logBytes));
  expect((await logOf(run.id)).at(-1)).toMatchObject({ line: 3_002 });
  await record(3_003, 1, 'last words');
  expect((await logOf(run.id)).at(-1)?.text).toBe('last words');
});

it('a short log stays whole', async () => {
  const run = await createExternalRun(context, { project: 'long' });
  const lines = Array.from({ length: 400 }, (_, line) => ({ text: textOf(line) }));
  expect(await logExternalLines(context, { runId: run.id, from: 0, lines })).toBe(400);
  expect((await logOf(run.id)).map(({ text }) => text)).toEqual(lines.map(({ text }) => text));
});

it('the end of a log is read without what comes before it', async () => {
  const run = await createExternalRun(services, { project: 'long' });
  const empty = await readLogs(services, { runId: run.id, last: 3 });
  expect(empty).toEqual({ lines: [], cursor: null, hasMore: false });
  const lines = ['a', 'b', 'ccc', 'd'].map((text) => ({ text }));
  await logExternalLines(services, { runId: run.id, from: 0, lines });
  const textsOf = async (range: { last: number; bytes?: number }) =>
    (await readLogs(services, { runId: run.id, ...range })).lines.map(({ text }) => text);
  expect(await textsOf({ last: 3 })).toEqual(['b', 'ccc', 'd']);
  expect(await textsOf({ last: 9 })).toEqual(['a', 'b', 'ccc', 'd']);
  expect(await textsOf({ last: 9, bytes: 4 })).toEqual(['ccc', 'd']);
  expect(await textsOf({ last: 9, bytes: 0 }), 'the very last always comes').toEqual(['d']);
  const { cursor } = await readLogs(services, { runId: run.id, last: 2 });
  await logExternalLines(services, { runId: run.id, from: 4, lines: [{ text: 'new' }] });
  expect((await readLogs(services, { runId: run.id, after: cursor })).lines).toMatchObject([{ text: 'new' }]);
  await expect(readLogs(services, { runId: run.id, last: 2, after: cursor })).rejects.toMatchObject({
    code: 'BAD_INPUT',
  });
});

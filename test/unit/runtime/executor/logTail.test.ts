import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Report } from '#src/base/contracts/reports.ts';
import { ReportStream } from '#workers/runtime/executor/reportStream.ts';

function collect(logBytes: number) {
  const logged: Extract<Report, { type: 'log' }>[] = [];
  const counts = { safe: 0 };
  const stream = new ReportStream({
    send(sequence, reports) {
      for (const report of reports) if (report.type === 'log') logged.push(report);
      queueMicrotask(() => stream.acknowledge(sequence));
    },
    onSafe: (count) => {
      counts.safe += count;
    },
  });
  stream.limitLog(logBytes);
  return { logged, counts, stream };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('of a log that floods the beginning and the newest lines go on, and every line is accounted for', async () => {
  const { logged, counts, stream } = collect(100_000);
  const total = 100_000;
  for (let line = 0; line < total; line++) stream.log('info', `${line}`, 0);
  await stream.flush();
  await stream.settled();
  const gap = logged.findIndex(({ text }) => text.startsWith('… '));
  const [before, after] = [logged.slice(0, gap), logged.slice(gap + 1)];
  expect(before.map(({ line }) => line)).toEqual(before.map((_, index) => index));
  expect(before.length).toBeGreaterThan(900);
  expect(after.map(({ line }) => line)).toEqual(after.map((_, index) => total - after.length + index));
  expect(after.length).toBeGreaterThan(2_000);
  expect(after.length).toBeLessThan(6_000);
  const left = (total - before.length - after.length).toLocaleString('en');
  expect(logged[gap]).toMatchObject({ line: total - after.length - 1, level: 'warn' });
  expect(logged[gap]!.text).toBe(`… ${left} lines are left out here: more was printed than a long log takes`);
  expect(counts.safe).toBe(total);
});

test('beyond its length a log goes on at a bounded rate, and at once where little is logged', async () => {
  const { logged, stream } = collect(1_000);
  for (let second = 0; second < 60; second++) {
    for (let line = 0; line < 10_000; line++) stream.log('info', 'text', 0);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  const bytes = logged.length * 104;
  expect(bytes).toBeGreaterThan(5_000_000);
  expect(bytes).toBeLessThan(61 * 256 * 1024 + 512 * 1024);
  await vi.advanceTimersByTimeAsync(10_000);
  const count = logged.length;
  stream.log('warn', 'last', 0);
  await vi.advanceTimersByTimeAsync(600);
  expect(logged.slice(count).map(({ text }) => text)).toEqual(['last']);
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Report } from '#src/base/contracts/reports.ts';
import { ReportStream } from '#workers/runtime/executor/reportStream.ts';

function point(step: number): Report {
  return { type: 'metric', name: 'train/loss', step, value: step, timeMs: 0 };
}

function collect(options: { batchSize?: number; credit?: number } = {}) {
  const sent: { sequence: number; reports: Report[] }[] = [];
  const safe: number[] = [];
  const stream = new ReportStream({
    ...options,
    send: (sequence, reports) => sent.push({ sequence, reports }),
    onSafe: (count) => safe.push(count),
  });
  return { sent, safe, stream };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a stream of reports', () => {
  test('waits a quarter of a second for company', () => {
    const { sent, stream } = collect();
    stream.push(point(0));
    vi.advanceTimersByTime(249);
    stream.push(point(1));
    expect(sent).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual([{ sequence: 0, reports: [point(0), point(1)] }]);
  });

  test('sends a full batch at once', () => {
    const { sent, stream } = collect({ batchSize: 3 });
    for (let step = 0; step < 7; step++) stream.push(point(step));
    expect(sent.map(({ reports }) => reports.length)).toEqual([3, 3]);
  });

  test('holds back what goes beyond its credit until a batch is acknowledged', () => {
    const { sent, safe, stream } = collect({ batchSize: 2, credit: 2 });
    for (let step = 0; step < 8; step++) stream.push(point(step));
    expect(sent.map(({ sequence }) => sequence)).toEqual([0, 1]);
    stream.acknowledge(1);
    stream.acknowledge(1);
    expect(sent.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
    expect(safe).toEqual([2]);
  });

  test('is flushed when everything has been sent, the last partial batch too', async () => {
    const { sent, stream } = collect({ batchSize: 2, credit: 1 });
    for (let step = 0; step < 5; step++) stream.push(point(step));
    let flushed = false;
    const flushing = stream.flush().then(() => {
      flushed = true;
    });
    for (const sequence of [0, 1]) {
      await Promise.resolve();
      expect(flushed).toBe(false);
      stream.acknowledge(sequence);
    }
    await flushing;
    expect(sent.flatMap(({ reports }) => reports)).toEqual([0, 1, 2, 3, 4].map(point));
  });

  test('numbers log lines from 0 and makes them storable', async () => {
    const { sent, stream } = collect();
    stream.log('info', 'first', 5);
    stream.log('warn', 'a\0b', 6);
    await stream.flush();
    expect(sent[0]?.reports).toEqual([
      { type: 'log', line: 0, level: 'info', text: 'first', timeMs: 5 },
      { type: 'log', line: 1, level: 'warn', text: 'a\uFFFDb', timeMs: 6 },
    ]);
  });

  test('keeps only the last of progress reports in a row', async () => {
    const { sent, safe, stream } = collect();
    for (const fraction of [0.1, 0.2, 0.3]) stream.push({ type: 'progress', fraction, message: '' });
    await stream.flush();
    expect(sent[0]?.reports).toEqual([{ type: 'progress', fraction: 0.3, message: '' }]);
    expect(safe).toEqual([1, 1]);
  });
});

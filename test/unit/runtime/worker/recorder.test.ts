import { describe, expect, test } from 'vitest';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Report } from '#src/base/contracts/reports.ts';
import { Recorder } from '#workers/runtime/worker/recorder.ts';

function batch(sequence: number): Report[] {
  return [{ type: 'metric', name: 'a', step: sequence, value: 1, timeMs: 0 }];
}

function recorderOver(record: (reports: Report[]) => Promise<void>) {
  const acknowledged: number[] = [];
  const refused: string[] = [];
  const recorder = new Recorder({
    record,
    acknowledge: (sequence) => acknowledged.push(sequence),
    onRefused: ({ code }) => refused.push(code),
    onRetry: () => undefined,
  });
  return { recorder, acknowledged, refused };
}

describe('the recorder', () => {
  test('writes every batch once, in order, and acknowledges it afterwards', async () => {
    const written: number[] = [];
    const { recorder, acknowledged } = recorderOver(async (reports) => {
      for (const report of reports) if (report.type === 'metric') written.push(report.step);
    });
    for (let sequence = 0; sequence < 100; sequence++) recorder.add(sequence, batch(sequence));
    await recorder.idle();
    const all = Array.from({ length: 100 }, (_, index) => index);
    expect(written).toEqual(all);
    expect(acknowledged).toEqual(all);
    expect(recorder.backlog).toBe(0);
  });

  test('tries the same batches again while the database is away', async () => {
    let tries = 0;
    const { recorder, acknowledged, refused } = recorderOver(async () => {
      if (++tries < 3) throw new Error('connection refused');
    });
    recorder.add(0, batch(0));
    await recorder.idle();
    expect([tries, acknowledged, refused]).toEqual([3, [0], []]);
  });

  test('stops at once when the lease is lost', async () => {
    const { recorder, acknowledged, refused } = recorderOver(async () => {
      throw new WarrenError('LEASE_LOST', 'lost');
    });
    recorder.add(0, batch(0));
    recorder.add(1, batch(1));
    await recorder.idle();
    recorder.add(2, batch(2));
    await recorder.idle();
    expect([acknowledged, refused, recorder.backlog]).toEqual([[], ['LEASE_LOST'], 0]);
  });
});

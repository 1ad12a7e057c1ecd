import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { cancellationOf, ControlBlock } from '#workers/runtime/shared/controlBlock.ts';

describe('the memory that executor and thread share', () => {
  test('shows a cancel to every view of it', () => {
    const control = new ControlBlock();
    const cancellation = cancellationOf(new ControlBlock(control.buffer));
    expect(cancellation.cancelled).toBe(false);
    expect(() => cancellation.throwIfCancelled()).not.toThrow();
    control.cancel();
    expect(cancellation.cancelled).toBe(true);
    expect(() => cancellation.throwIfCancelled()).toThrow('cancelled');
  });

  test('counts pending reports and lets a thread go on as soon as there is room', async () => {
    const control = new ControlBlock();
    control.addPending(10);
    control.waitForRoom(11);
    const source = `const { workerData } = require('node:worker_threads');
      const cells = new Int32Array(workerData);
      setTimeout(() => { Atomics.sub(cells, 1, 5); Atomics.notify(cells, 1); }, 20);`;
    const worker = new Worker(source, { eval: true, workerData: control.buffer });
    await new Promise((resolve) => worker.once('online', resolve));
    control.waitForRoom(10);
    expect(control.pending).toBe(5);
    await worker.terminate();
  });

  test('does not hold a cancelled thread', () => {
    const control = new ControlBlock();
    control.addPending(10);
    control.cancel();
    control.waitForRoom(1);
    expect(control.pending).toBe(10);
  });
});

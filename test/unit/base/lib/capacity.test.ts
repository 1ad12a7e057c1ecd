import { expect, test } from 'vitest';
import { createCapacity } from '#src/base/lib/capacity.ts';

test('what is taken is there again when it is given back, and goes to those who waited longest', async () => {
  const capacity = createCapacity({ total: 10, mostWaiting: 5 });
  const giveBack = await capacity.take(6);
  const order: string[] = [];
  const large = capacity.take(100).then((give) => {
    order.push('large');
    return give;
  });
  const small = capacity.take(1).then((give) => {
    order.push('small');
    return give;
  });
  giveBack?.();
  (await large)?.();
  (await small)?.();
  expect(order).toEqual(['large', 'small']);
  expect(capacity.isIdle()).toBe(true);
});

test('a task that is aborted while it waits takes nothing, and lets the next one pass', async () => {
  const capacity = createCapacity({ total: 2, mostWaiting: 5 });
  const giveBack = await capacity.take(1);
  const controller = new AbortController();
  const aborted = capacity.take(2, controller.signal);
  const next = capacity.take(1);
  controller.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  (await next)?.();
  giveBack?.();
  expect(capacity.isIdle()).toBe(true);
  await expect(capacity.take(1, controller.signal)).rejects.toThrow('gone');
});

test('no more wait than may', async () => {
  const capacity = createCapacity({ total: 1, mostWaiting: 1 });
  const giveBack = await capacity.take(1);
  const waiting = capacity.take(1);
  expect(await capacity.take(1)).toBeNull();
  giveBack?.();
  (await waiting)?.();
});

import { expect, it } from 'vitest';
import { WorkerGate } from '#workers/runtime/worker/workerGate.ts';

it('lets one in alone when the others have left, and the later ones after it', async () => {
  const gate = new WorkerGate();
  const order: string[] = [];
  const enter = async (name: string, alone: boolean) => {
    const leave = await gate.enter(alone);
    order.push(name);
    return leave;
  };
  const [first, second] = await Promise.all([enter('first', false), enter('second', false)]);
  const alone = enter('alone', true);
  const later = enter('later', false);
  first();
  await Promise.resolve();
  expect(order).toEqual(['first', 'second']);
  second();
  const leave = await alone;
  expect(order).toEqual(['first', 'second', 'alone']);
  leave();
  (await later)();
  expect(order).toEqual(['first', 'second', 'alone', 'later']);
});

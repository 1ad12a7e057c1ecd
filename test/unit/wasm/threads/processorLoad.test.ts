import { expect, test } from 'vitest';
import { processorLoad } from '#workers/wasm/threads/processorLoad.ts';

test('others want the cores where the system takes them away often, looked at ten times a second', () => {
  let [milliseconds, switches, looks] = [0, 0, 0];
  const load = processorLoad(
    () => milliseconds,
    () => {
      looks++;
      return switches;
    },
  );
  [milliseconds, switches] = [50, 1000];
  expect(load.isHigh()).toBe(false); // too early to look
  [milliseconds, switches] = [200, 1010];
  expect(load.isHigh()).toBe(true);
  [milliseconds, switches] = [250, 1010];
  expect(load.isHigh()).toBe(true);
  [milliseconds, switches] = [400, 1014]; // 20 a second
  expect(load.isHigh()).toBe(false);
  expect(looks).toBe(3);
});

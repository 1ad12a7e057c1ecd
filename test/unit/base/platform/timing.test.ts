import { expect, test } from 'vitest';
import { readEnvironment } from '#src/base/platform/environment.ts';
import { type Timing, timingOf } from '#src/base/platform/timing.ts';

test.each([1, 0.4, 0.1])(
  'at a scale of %d, who lives has several tries to say so before others give it up',
  (scale) => {
    const timing: Timing = timingOf(scale);
    expect(timing.leaseMs).toBe(15_000 * scale);
    expect(timing.leaseMs).toBeGreaterThanOrEqual(3 * timing.renewMs);
    expect(timing.workerAliveMs).toBeGreaterThanOrEqual(6 * timing.heartbeatMs);
    expect(timing.leaseMs).toBeGreaterThanOrEqual(3 * timing.reconcileMs);
    expect(timing.settlingMs).toBeLessThan(timing.reconcileMs);
    expect(Object.values(timing).every(Number.isInteger)).toBe(true);
  },
);

test.each(['0', '2', '0.25', 'fast'])('WARREN_TIMING=%s is refused', (value) => {
  expect(() => readEnvironment({ WARREN_TIMING: value })).toThrow('WARREN_TIMING: expected 1, or a tenth such as 0.2');
});

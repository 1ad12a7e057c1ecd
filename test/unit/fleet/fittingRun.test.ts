import { describe, expect, test } from 'vitest';
import type { RunNeeds, WorkerOffers } from '#src/base/contracts/runNeeds.ts';
import { fittingRun, whyNeverHere } from '#src/fleet/fittingRun.ts';

const offers: WorkerOffers = { command: true, gpus: [0, 1], memoryMb: 1000, cores: 4, labels: ['ssd'], slots: 1 };
const needing = (needs: Partial<RunNeeds>): RunNeeds => ({
  command: true,
  gpus: 0,
  memoryMb: null,
  cores: null,
  labels: [],
  seconds: null,
  ...needs,
});
const queued = (...all: Partial<RunNeeds>[]) => all.map((needs, at) => ({ id: String(at), needs: needing(needs) }));
const taken = (needs: Partial<RunNeeds>, gpus: number[] = [], own = true) => ({ own, needs: needing(needs), gpus });

describe('the run that a worker starts next', () => {
  test('is the first of the queue that fits, with GPUs that nobody has', () => {
    expect(fittingRun(queued({ gpus: 1 }), offers, [])).toMatchObject({ run: { id: '0' }, gpus: [0] });
    expect(fittingRun(queued({ gpus: 1 }), offers, [taken({ gpus: 1 }, [0])])).toMatchObject({ gpus: [1] });
    expect(fittingRun(queued({ gpus: 2 }), offers, [])).toMatchObject({ gpus: [0, 1] });
    expect(fittingRun(queued({ gpus: 1 }), offers, [taken({ gpus: 2 }, [0, 1])])).toBeNull();
  });

  test('gets no GPU that another worker of the machine uses, whose memory is its own affair', () => {
    const other = taken({ gpus: 1, memoryMb: 900 }, [0], false);
    expect(fittingRun(queued({ gpus: 1, memoryMb: 900 }), offers, [other])).toMatchObject({ gpus: [1] });
  });

  test('does not overtake one that waits for more GPUs, unless it needs none', () => {
    const running = [taken({ gpus: 1 }, [0])];
    expect(fittingRun(queued({ gpus: 2 }, { gpus: 1 }), offers, running)).toBeNull();
    expect(fittingRun(queued({ gpus: 2 }, { gpus: 1 }, {}), offers, running)).toMatchObject({ run: { id: '2' } });
  });

  test('overtakes one that this worker can never execute', () => {
    expect(fittingRun(queued({ gpus: 3 }, { labels: ['tape'] }, { gpus: 1 }), offers, [])).toMatchObject({
      run: { id: '2' },
    });
  });

  test('finds memory, cores and a place', () => {
    expect(fittingRun(queued({ memoryMb: 600 }), { ...offers, slots: 2 }, [taken({ memoryMb: 600 })])).toBeNull();
    expect(fittingRun(queued({ gpus: 1, cores: 3 }), offers, [taken({ cores: 2 })])).toBeNull();
    expect(fittingRun(queued({}), offers, [taken({})])).toBeNull();
    expect(fittingRun(queued({ gpus: 1 }), offers, [taken({})])).not.toBeNull();
  });
});

test('what a worker lacks is told in words', () => {
  expect(whyNeverHere(needing({ gpus: 3 }), offers)).toBe('3 GPUs');
  expect(whyNeverHere(needing({ labels: ['ssd', 'tape'] }), offers)).toBe('the label tape');
  expect(whyNeverHere(needing({ memoryMb: 1001 }), offers)).toBe('1001 MiB of memory');
  expect(whyNeverHere(needing({ gpus: 2, labels: ['ssd'] }), offers)).toBeNull();
});

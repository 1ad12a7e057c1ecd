import { expect, test } from 'vitest';
import { counterNames } from '#web/lib/counters.ts';

test('what says so by its name, or is the axis of another metric, only counts; a measure never does', () => {
  const metrics = [
    ...[
      'epoch',
      'trainer/global_step',
      'frames',
      'valid/accuracy',
      'train/loss',
      'steps/s',
      'eval/steps',
      'episode/batches',
      'time/epoch',
    ].map((name) => ({ name })),
    { name: 'reward', stepMetric: 'frames' },
  ];
  expect([...counterNames(metrics)]).toEqual(['epoch', 'trainer/global_step', 'frames']);
});

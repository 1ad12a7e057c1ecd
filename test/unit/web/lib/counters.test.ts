import { expect, test } from 'vitest';
import { type CountedMetric, counterNames } from '#web/lib/counters.ts';

const metric = (name: string, lastStep: number, lastValue: number, rest: Partial<CountedMetric> = {}) => ({
  ...{ name, lastStep, lastValue, maximum: lastValue, stepMetric: null },
  ...rest,
});

test('what says so by its name, has its steps as values, or is the axis of another metric only counts', () => {
  const metrics = [
    ...[metric('epoch', 40, 2.5), metric('trainer/global_step', 9, 90), metric('seen', 9, 9), metric('round', 9, 10)],
    ...[metric('frames', 9, 640), metric('reward', 9, 3, { stepMetric: 'frames' })],
  ];
  expect([...counterNames(metrics)]).toEqual(['epoch', 'trainer/global_step', 'seen', 'round', 'frames']);
});

test('a measure that happens to end at the number of its step is none', () => {
  const measures = [
    metric('valid/accuracy', 1, 1),
    metric('train/loss', 5, 5, { maximum: 12 }),
    metric('steps/s', 9, 41),
    metric('learning_rate', 9, 0.1),
    metric('gradient', 9, Number.NaN, { lastValue: 'NaN', maximum: null }),
  ];
  expect([...counterNames(measures)]).toEqual([]);
});

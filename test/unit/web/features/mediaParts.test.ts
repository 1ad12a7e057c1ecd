import { expect, test } from 'vitest';
import { figuresOf } from '#web/features/media/figuresOf.ts';
import { commonEdges, histogramOf, rebinned } from '#web/features/media/histogram.ts';
import { safeOption } from '#web/features/media/safeOption.ts';
import { stepAt } from '#web/features/media/stepAt.ts';

test('counts are spread evenly over other bins', () => {
  const histogram = { edges: [0, 2, 4], counts: [3, 1] };
  expect(rebinned(histogram, [0, 1, 2, 3, 4])).toEqual([0.375, 0.375, 0.125, 0.125]);
  expect(rebinned({ edges: [4, 4], counts: [2] }, [0, 2, 4])).toEqual([0, 1]);
  expect(commonEdges([histogram, { edges: [-2, 0], counts: [1] }], 2)).toEqual([-2, 1, 4]);
  expect(histogramOf({ edges: [1], counts: [1] })).toBeNull();
});

test('of a step without anything, the step before it is shown', () => {
  expect([0, 2, 3, 9, 100].map((step) => stepAt([2, 5, 9], step))).toEqual([2, 2, 2, 9, 9]);
});

test('a figure that was left in two formats is shown once', () => {
  const artifact = (name: string, mediaType: string) => ({ name, mediaType, sizeBytes: 1, viewUrl: name });
  const artifacts = [
    ...[artifact('figures/a.svg', 'image/svg+xml'), artifact('figures/a.png', 'image/png')],
    ...[artifact('b.png', 'image/png'), artifact('c.csv', 'text/csv')],
  ];
  expect(figuresOf(artifacts).map(({ name }) => name)).toEqual(['figures/a.svg', 'b.png']);
});

test('an uploaded chart keeps what is drawn and loses links, HTML and addresses', () => {
  const option = safeOption({
    title: { text: 'x', link: 'https://example.org' },
    tooltip: { formatter: '<b>', renderMode: 'html' },
    graphic: [{ type: 'image' }],
    series: [
      {
        type: 'line',
        symbol: 'image://https://example.org/x.png',
        data: [1, { value: 2, itemStyle: { color: { image: 'x' } } }],
      },
    ],
  });
  expect(option).toEqual({
    animation: false,
    title: { text: 'x' },
    tooltip: { renderMode: 'richText' },
    series: [{ type: 'line', symbol: 'circle', data: [1, { value: 2, itemStyle: { color: null } }] }],
  });
  expect(() => safeOption([1])).toThrow('it is not an object');
});

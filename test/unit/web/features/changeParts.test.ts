import { expect, test } from 'vitest';
import { changeParts } from '#web/features/administration/changeParts.ts';

test('a section of the changelog has its parts with their entries, each on one line', () => {
  const section = `0.2.0

A sentence before the entries.

- Of no part.

### Sweeps

- **Sweeps** over \`train/*\` go on
  for as long as [you like](docs/sweeps.md).

- Another one.

### Nothing new

### Reports

- Reports cite \`[[run 12: loss]]\`.`;
  expect(changeParts(section)).toEqual({
    name: '0.2.0',
    parts: [
      { title: '', entries: ['Of no part.'] },
      { title: 'Sweeps', entries: ['Sweeps over `train/*` go on for as long as you like.', 'Another one.'] },
      { title: 'Reports', entries: ['Reports cite `[[run 12: loss]]`.'] },
    ],
    count: 4,
    isShort: true,
  });
});

test('more than twelve entries are too many to be shown at first', () => {
  const section = (count: number) => `0.2.0\n${'- One more.\n'.repeat(count)}`;
  expect([12, 13].map((count) => changeParts(section(count)).isShort)).toEqual([true, false]);
});

test('without a changelog there are no parts', () => {
  expect(changeParts('')).toMatchObject({ name: '', parts: [] });
});

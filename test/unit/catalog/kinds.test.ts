import { expect, test } from 'vitest';
import { KINDS } from '#src/catalog/kinds.ts';

test('no two kinds have the same name', () => {
  const names = KINDS.map(({ kind }) => kind);
  expect(new Set(names).size).toBe(names.length);
});

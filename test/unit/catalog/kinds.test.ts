import { expect, test } from 'vitest';
import { KIND_BY_NAME } from '#src/catalog/kinds.ts';

test('every kind stands under its own name', () => {
  for (const [name, { kind }] of Object.entries(KIND_BY_NAME)) expect(kind).toBe(name);
});

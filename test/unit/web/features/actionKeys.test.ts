import { expect, it } from 'vitest';
import { createActionKeys } from '#web/api/actionKeys.ts';

it('keeps the key of a call until it has succeeded or is another one', () => {
  let made = 0;
  const keys = createActionKeys(() => `key ${++made}`);
  const input = { kind: 'popularity', seeds: [1] };
  expect([keys.of(input), keys.of({ ...input })]).toEqual(['key 1', 'key 1']);
  expect(keys.of({ ...input, seeds: [1, 2] })).toBe('key 2');
  keys.done();
  expect(keys.of({ ...input, seeds: [1, 2] })).toBe('key 3');
});

it('makes keys that are no two alike', () => {
  const [one, two] = [createActionKeys().of({}), createActionKeys().of({})];
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(one).not.toBe(two);
});

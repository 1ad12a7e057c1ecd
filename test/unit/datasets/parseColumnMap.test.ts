import { expect, test } from 'vitest';
import { parseColumnMap } from '#src/datasets/command/parseColumnMap.ts';

test('maps of columns', () => {
  expect(parseColumnMap('user=who, item=what,time=3')).toEqual({ user: 'who', item: 'what', time: '3' });
  expect(() => parseColumnMap('usr=who')).toThrow(/Did you mean "user"/);
  expect(() => parseColumnMap('user=a,user=b')).toThrow(/given twice/);
  expect(() => parseColumnMap('user=')).toThrow(/expected user=…/);
});

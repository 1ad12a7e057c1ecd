import { expect, test } from 'vitest';
import { parseRunFilter } from '#src/base/contracts/runFilter/parse.ts';
import { filterOfWords } from '#web/features/runs/filterOfWords.ts';

test.each([
  ['resnet', 'name ilike "%resnet%"'],
  ['resnet18 lr0.01-bs128', 'name ilike "%resnet18%" and name ilike "%lr0.01-bs128%"'],
  ['conv_net', 'name ilike "%conv\\_net%"'],
  ['#12', 'number = 12'],
  ['12', 'number = 12'],
])('the words “%s” find runs by %s', (text, filter) => {
  expect(filterOfWords(text)).toBe(filter);
  expect(() => parseRunFilter(filter, () => null)).not.toThrow();
});

test.each([
  '',
  'kind = sasrec',
  'state',
  'config.lr',
  'not resnet',
  'metric.loss',
  'name like "%a%"',
  'resnet or',
  'tag',
])('“%s” stays as it is', (text) => {
  expect(filterOfWords(text)).toBe(text);
});

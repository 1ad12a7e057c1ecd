import { expect, it } from 'vitest';
import { reportFailure } from '#src/base/terminal/reportFailure.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { parseRunFilter } from '#src/base/contracts/runFilter/parse.ts';

it('keeps the caret of a filter error under the column it speaks of', () => {
  const filter = 'kind = overrec and kund = x';
  const said: string[] = [];
  try {
    parseRunFilter(filter, () => null);
  } catch (error) {
    expect(reportFailure(error, (line) => said.push(line))).toBe(2);
  }
  const [, shown = '', caret = ''] = said.join('\n').split('\n');
  expect(shown.trim()).toBe(filter);
  expect(caret.indexOf('^')).toBe(shown.indexOf('kund'));
});

it('says several problems one per line', () => {
  const said: string[] = [];
  reportFailure(badInput('first\nsecond'), (line) => said.push(line));
  expect(said).toEqual(['warren: first\n  second']);
});

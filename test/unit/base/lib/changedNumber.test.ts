import { expect, it } from 'vitest';
import { parseAssignment } from '#src/base/terminal/arguments/assignments.ts';
import { findChangedNumber } from '#src/base/lib/changedNumber.ts';

const NAMES = new Set(['parameters']);

it.each([
  ['{"parameters":{"a":[1,{"deep":1e400}]}}', { path: 'parameters.a.1.deep', text: '1e400' }],
  ['{"input":{"parameters":{"seed":9007199254740993}}}', { path: 'input.parameters.seed', text: '9007199254740993' }],
  ['{"parameters":{"text":"1e400 \\" 9007199254740993","a":1e30,"b":9007199254740992,"c":0.12345678901234567}}', null],
  ['{"values":[9007199254740993,1e400],"parameters":{"x":1}}', null],
])('finds a number that would be another one, by name: %s', (json, expected) => {
  expect(findChangedNumber(json, NAMES)).toEqual(expected);
});

it.each(['x=1e400', 'x=9007199254740993', 'x=[1, 9007199254740993]', 'x={"y": -1e999}'])(
  'refuses --set %s instead of changing it',
  (text) => {
    expect(() => parseAssignment(text)).toThrow(/would be rounded|larger than any number/);
  },
);

it('takes numbers that are kept', () => {
  expect(parseAssignment('x=1e30').value).toBe(1e30);
  expect(parseAssignment('x=[9007199254740992, 0.1]').value).toEqual([2 ** 53, 0.1]);
});

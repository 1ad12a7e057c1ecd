import { describe, expect, it } from 'vitest';
import { assignmentsToObject, parseAssignment } from '#src/base/terminal/arguments/assignments.ts';

describe('parseAssignment', () => {
  it.each([
    ['layers=2', ['layers'], 2],
    ['kernel=rntk', ['kernel'], 'rntk'],
    ['optimizer.smoothing.order=1e-3', ['optimizer', 'smoothing', 'order'], 0.001],
    ['rate=.001', ['rate'], 0.001],
    ['rate=-5.e-1', ['rate'], -0.5],
    ['item=007', ['item'], '007'],
    ['version=1.2.3', ['version'], '1.2.3'],
    ['flag=true', ['flag'], true],
    ['k=null', ['k'], null],
    ['cutoffs=[5, 10]', ['cutoffs'], [5, 10]],
    ['name="5"', ['name'], '5'],
    ['note=a=b', ['note'], 'a=b'],
    ['empty=', ['empty'], ''],
  ])('reads %s', (text, path, value) => {
    expect(parseAssignment(text)).toEqual({ path, value });
  });

  it.each(['layers', '=2', 'a..b=1', '.a=1', '1a=2', 'a b=1'])('refuses %s', (text) => {
    expect(() => parseAssignment(text)).toThrow(expect.objectContaining({ code: 'BAD_INPUT', path: '--set' }));
  });

  it('refuses JSON that begins but does not parse, rather than passing it on as text', () => {
    expect(() => parseAssignment('cutoffs=[5, 10')).toThrow(/begins like JSON/);
  });

  it.each(['__proto__.x=1', 'a.constructor=1', 'prototype=1'])('refuses %s, which would reach every object', (text) => {
    expect(() => parseAssignment(text)).toThrow(/not a path/);
  });
});

describe('assignmentsToObject', () => {
  const build = (...texts: string[]) => assignmentsToObject(texts.map(parseAssignment));

  it('nests by path, and the last one wins', () => {
    expect(build('a.b=1', 'a.c=2', 'd=x', 'a.b=3')).toEqual({ a: { b: 3, c: 2 }, d: 'x' });
  });

  it('goes on inside an object that was set whole', () => {
    expect(build('a={"b": 1}', 'a.c=2')).toEqual({ a: { b: 1, c: 2 } });
  });

  it('refuses a path through a value', () => {
    expect(() => build('a=1', 'a.b=2')).toThrow(/a is set to a value and to an object/);
  });
});

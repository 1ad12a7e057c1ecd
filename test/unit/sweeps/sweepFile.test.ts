import { expect, test } from 'vitest';
import { parseParameterFlag } from '#src/sweeps/command/parameterFlag.ts';
import { readSweepRequest } from '#src/sweeps/command/sweepFile.ts';

test.each([
  ['rate=loguniform(1e-4, 1e-2)', { distribution: 'log_uniform_values', min: 1e-4, max: 1e-2 }],
  ['rate=uniform(0,1)', { distribution: 'uniform', min: 0, max: 1 }],
  ['rate=int(1,9)', { distribution: 'int_uniform', min: 1, max: 9 }],
  ['rate=quniform(0,1,0.25)', { distribution: 'q_uniform', min: 0, max: 1, q: 0.25 }],
  ['rate=normal(-1,0.5)', { distribution: 'normal', mu: -1, sigma: 0.5 }],
  ['rate=choice(1, adam,true,null)', { values: [1, 'adam', true, null] }],
  ['rate=0.5', { value: 0.5 }],
  ['rate=sum', { value: 'sum' }],
  ['rate=[1, 2]', { value: [1, 2] }],
])('--set %s', (text, parameter) => {
  expect(parseParameterFlag(text)).toEqual(['rate', parameter]);
});

test.each([
  ['rate=loguniform(1e-4)', /expected loguniform\(min,max\) with numbers/],
  ['rate=uniform(a,b)', /expected uniform\(min,max\) with numbers/],
  ['rate=gamma(1,2)', /there is no gamma\(\); there are uniform/],
  ['rate=choice()', /expected values such as choice\(1,2,4\)/],
])('--set %s is refused in words', (text, message) => {
  expect(() => parseParameterFlag(text)).toThrow(message);
});

test('options alone make a sweep: tpe where there is a metric, else random', async () => {
  const set = ['rate=uniform(0,1)'];
  expect(await readSweepRequest(undefined, { kind: 'sasrec', set })).toEqual({
    method: 'random',
    kind: 'sasrec',
    parameters: { rate: { distribution: 'uniform', min: 0, max: 1 } },
  });
  const request = await readSweepRequest(undefined, { kind: 'sasrec', set, metric: 'valid/mrr', trials: 9 });
  expect(request).toMatchObject({ method: 'tpe', metric: { name: 'valid/mrr' }, budget: { trials: 9 } });
  await expect(readSweepRequest(undefined, {})).rejects.toThrow(/nothing varies/);
  await expect(readSweepRequest('/nowhere/sweep.yaml', {})).rejects.toThrow('there is no file /nowhere/sweep.yaml');
});

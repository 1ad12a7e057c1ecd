import { Command } from 'commander';
import { expect, test } from 'vitest';
import { createCommandContext } from '#src/base/terminal/commandContext.ts';
import { addWhichRuns, filterOf } from '#src/base/terminal/arguments/whichRuns.ts';
import { capturedSurroundings } from '#test/integration/support/capturedSurroundings.ts';
import { createProgram } from '#src/cli/program.ts';

test.each([
  [{}, undefined],
  [{ filter: '' }, ''],
  [{ filter: 'seed = 1 or seed = 2' }, 'seed = 1 or seed = 2'],
  [
    { filter: 'seed = 1 or seed = 2', tag: ['a "b"', 'c'] },
    '(seed = 1 or seed = 2) and tag = "a \\"b\\"" and tag = "c"',
  ],
  [{ filter: ' ', state: ['FAILED', 'CRASHED'] }, 'state in (FAILED, CRASHED)'],
])('%j is the filter %j', (options, filter) => {
  expect(filterOf(options)).toBe(filter);
});

test.each<[string[], string]>([
  [['ls', '--filtr', 'x'], "unknown option '--filtr' (Did you mean --filter?)"],
  [['ls', '--sort', 'x'], "unknown option '--sort'; that is --order here"],
  [['export', '--status', 'RUNNING'], "unknown option '--status'; that is --state here"],
  [['logs', '3', '-n', '4'], "unknown option '-n'; that is --lines here"],
  [['compare', '3', '-y'], "unknown option '-y'; `warren compare --help` lists them"],
  [['sweep', 'show', '1', '--wat'], "unknown option '--wat'; `warren sweep show --help` lists them"],
])('%j is told what is meant', async (words, message) => {
  const said: string[] = [];
  const context = createCommandContext(capturedSurroundings([], {}));
  const program = createProgram({ ...context, terminal: { ...context.terminal, say: (text) => void said.push(text) } });
  await expect(program.parseAsync(words, { from: 'user' })).rejects.toMatchObject({ exitCode: 1 });
  expect(said.join('\n')).toContain(`warren: ${message}`);
});

test('states that are given one by one all count', () => {
  const ls = addWhichRuns(new Command(), 'which');
  expect(ls.parse(['--state', 'failed', '--state', 'crashed, FAILED'], { from: 'user' }).opts()).toEqual({
    state: ['FAILED', 'CRASHED'],
  });
});

test('a state that there is not is refused with the nearest one', async () => {
  const program = createProgram(createCommandContext(capturedSurroundings([], {})));
  await expect(program.parseAsync(['ls', '--state', 'fialed'], { from: 'user' })).rejects.toMatchObject({
    message: expect.stringContaining('there is no state "fialed". Did you mean "FAILED"?'),
  });
  const twice = program.parseAsync(['ls', 'seed = 1', '--filter', 'seed = 2'], { from: 'user' });
  await expect(twice).rejects.toMatchObject({ message: expect.stringContaining('give one filter') });
});

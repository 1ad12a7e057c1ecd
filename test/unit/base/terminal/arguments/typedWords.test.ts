import { expect, test } from 'vitest';
import { inTypedWords } from '#src/base/terminal/arguments/typedWords.ts';
import { createCommandContext } from '#src/base/terminal/commandContext.ts';
import { capturedSurroundings } from '#test/integration/support/capturedSurroundings.ts';
import { createProgram } from '#src/cli/program.ts';
import { reportFailure } from '#src/base/terminal/reportFailure.ts';
import { badInput } from '#src/base/contracts/errors.ts';

const context = createCommandContext(capturedSurroundings([], {}));

/** What is said of an error of the API at a path, when `words` were typed. */
async function said(words: readonly string[], message: string, path: string): Promise<string> {
  const program = createProgram(context);
  const lines: string[] = [];
  program.hook('preAction', (_, command) => {
    reportFailure(inTypedWords(badInput(message, path), command), (line) => lines.push(line));
    throw new Error('the command is not executed');
  });
  await program.parseAsync(words, { from: 'user' }).catch(() => {});
  return lines.join('\n');
}

test.each([
  [['tag', '1'], 'addTags: expected tags', 'addTags', '--add: expected tags'],
  [
    ['edit', '1', '--rename', ''],
    'name: a name has 1 to 200 characters',
    'name',
    '--rename: a name has 1 to 200 characters',
  ],
  [['move', '1', '--to', ''], 'toProject: a name', 'toProject', '--to: a name'],
  [['compare', '1', '99'], 'ids[1]: there is no run 99', 'ids[1]', 'there is no run 99'],
  [
    ['ls', '--order', 'x'],
    'orderBy.by, column 1: there is no field',
    'orderBy.by',
    '--order, column 1: there is no field',
  ],
  [['ls', '--group-by', 'x'], 'groupBy[0]: no run has', 'groupBy[0]', '--group-by: no run has'],
  [['ls', 'x'], 'filter, column 1: there is no field', 'filter', 'filter, column 1: there is no field'],
  [
    ['export', '--filter', 'x'],
    'filter, column 1: there is no field',
    'filter',
    '--filter, column 1: there is no field',
  ],
  [['run', 'sasrec', '--tag', ''], 'tags: a tag has', 'tags', '--tag: a tag has'],
  [
    ['run', 'sasrec', '--input', 'a=9:b'],
    'inputs[0].runId: there is no run 9',
    'inputs[0].runId',
    '--input: there is no run 9',
  ],
  [['run', 'sasrec', '--set', 'a=1'], 'parameters.a: is not known', 'parameters.a', '--set a: is not known'],
  [['sweep', 'create', 'a.yaml'], 'parameters.a: is not known', 'parameters.a', 'parameters.a: is not known'],
  [
    ['alert', 'create', 'a'],
    'channels[0].webhook: expected an address',
    'channels[0].webhook',
    '--webhook: expected an address',
  ],
  [['run', 'sasrec'], 'dataset.core: too small', 'dataset.core', 'dataset.core: too small'],
  [['run', 'sasrec'], 'what it takes', 'project', '--project: what it takes'],
])('%j: %s', async (words, message, path, expected) => {
  expect(await said(words, message, path)).toBe(`warren: ${expected}`);
});

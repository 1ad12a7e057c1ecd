import { expect, it } from 'vitest';
import { apiForTests } from './support/apiForTests.ts';
import { createExternalRun } from './support/externalRunCalls.ts';
import { runWarren, startWarren } from './support/warrenCommand.ts';
import { waitUntil } from './support/waitUntil.ts';

const api = await apiForTests();
const variables = { WARREN_API_URL: api.url };
const warren = (...parameters: string[]) => runWarren(parameters, variables);

it('prints the log of a run, its last lines, and what comes until it has ended', async () => {
  const run = await createExternalRun(api);
  const log = async (from: number, ...texts: string[]) => {
    const lines = texts.map((text) => ({ text }));
    const mutation =
      'mutation ($run: ID!, $from: Int!, $lines: [LogLineInput!]!) { logLines(runId: $run, from: $from, lines: $lines) }';
    await api.ok(mutation, { run, from, lines });
  };
  const textsOf = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ').at(-1));
  await log(0, 'a', 'b', 'c');
  expect(textsOf((await warren('logs', run)).stdout)).toEqual(['a', 'b', 'c']);
  const following = startWarren(['logs', run, '--follow', '--lines', '1'], variables);
  await waitUntil('the last line', () => following.stdout().includes('c'));
  await log(3, 'd');
  await waitUntil('the new line', () => following.stdout().includes('d'));
  await api.ok('mutation ($run: ID!) { finishRun(runId: $run) { id } }', { run });
  const { code, stdout } = await following.ended;
  expect([code, textsOf(stdout)]).toEqual([0, ['c', 'd']]);
  expect((await warren('logs', '999999')).stderr).toMatch(/^warren: there is no run 999999/);
});

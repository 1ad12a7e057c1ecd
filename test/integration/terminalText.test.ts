import { beforeAll, expect, test } from 'vitest';
import { join } from 'node:path';
import { apiForTests } from './support/apiForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { runWarren } from './support/warrenCommand.ts';

const api = await apiForTests();
const home = join(temporaryFolder(), 'home');
/** Clears the screen, sets the title, begins a C1 sequence, reverses the direction. */
const POISON = 'x\u001b[2J\u001b]0;owned\u0007\u009b31m\u202eend';
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
let numbers: string[];

const warren = async (...parameters: string[]) => {
  const { stdout, stderr } = await runWarren(parameters, { WARREN_HOME: home, WARREN_API_URL: api.url });
  return { stdout, stderr };
};

beforeAll(async () => {
  numbers = [];
  for (const name of ['a', 'b']) {
    const { createRun } = await api.ok(
      `mutation ($input: CreateRunInput!) { createRun(input: $input) { id number } }`,
      {
        input: {
          project: POISON,
          name: POISON + name,
          tags: [POISON],

          parameters: { [POISON]: POISON + name },
        },
      },
    );
    const variables = { id: createRun.id, text: POISON, name: 'train/loss' };
    await api.ok(
      `mutation ($id: ID!, $text: String!, $name: String!) {
        logLines(runId: $id, from: 0, lines: [{ text: $text }])
        logMetrics(runId: $id, series: [{ name: $name, steps: [1], values: [0.5] }])
        finishRun(runId: $id, state: FAILED, errorMessage: $text) { state } }`,
      variables,
    );
    numbers.push(String(createRun.number));
  }
});

test.each([
  ['ls', () => ['ls']],
  ['ls of a parameter', () => ['ls', '--columns', 'number,name,project,tags,state']],
  ['show', () => ['show', numbers[0]!]],
  ['the log', () => ['show', numbers[0]!, '--logs']],
  ['compare', () => ['compare', ...numbers]],
  ['cancel', () => ['cancel', ...numbers]],
  ['an answer of the API', () => ['ls', `name = "${POISON}" and nonsense${POISON}`]],
  ['a wrong option', () => ['ls', `--${POISON}`]],
])('what others have stored reaches the terminal as text: %s', async (_what, parameters) => {
  const { stdout, stderr } = await warren(...parameters());
  expect(stdout + stderr).toContain('\\u001b');
  expect(stdout).not.toMatch(OBEYED);
  expect(stderr).not.toMatch(OBEYED);
});

test('JSON says what was stored, in escapes of its own', async () => {
  const { stdout } = await warren('ls', '--json');
  expect(JSON.parse(stdout)[0].name).toBe(`${POISON}b`);
  expect(stdout).not.toMatch(OBEYED);
});

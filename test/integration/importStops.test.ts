import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { issueToken, revokeToken } from '#src/people/apiTokens.ts';
import { type ApiClient, createApiClient } from '#src/base/terminal/apiClient.ts';
import { createCommandContext } from '#src/base/terminal/commandContext.ts';
import { importRuns } from '#src/imports/importRuns.ts';
import type { SourceRun } from '#src/imports/source.ts';
import { capturedSurroundings } from './support/capturedSurroundings.ts';
import { bearer, twoProjectsForTests } from './support/twoProjects.ts';
import { waitUntil } from './support/waitUntil.ts';

const { api, context } = await twoProjectsForTests();
const options = { project: 'mine', source: 'runs', follow: false, json: true };

const runNumbered = (index: number): SourceRun => ({
  ...{ id: `c0ffee00-0000-4000-8000-00000000000${index}`, label: `run ${index}`, facts: {} },
  read: () => [{ type: 'points', name: 'loss', steps: [1], values: [index], times: [1_700_000_000_000] }],
});

function commandWith(client: ApiClient) {
  const said: string[] = [];
  const printed: string[] = [];
  const command = createCommandContext(capturedSurroundings([], {}));
  const terminal = {
    ...command.terminal,
    say: (text: string) => void said.push(text),
    print: (text: string) => void printed.push(text),
  };
  return { command: { ...command, terminal, api: async () => client }, said, printed };
}

test('an import whose token is voided on the way stops there, once', async () => {
  const { token, record } = await issueToken(context, { name: 'importing', role: 'WRITE' });
  const { command, said, printed } = commandWith(createApiClient({ url: api.url, token }));
  const ask = async () => await api.graphql('{ runs { totalCount } }', {}, bearer(token));
  let listed = 0;
  async function* list() {
    for (; listed < 9; listed++) {
      if (listed === 4) {
        await revokeToken(context, record.name);
        await waitUntil('the token is void', async () => (await ask()).errors.length > 0);
      }
      yield runNumbered(listed);
    }
  }
  await importRuns(command, list, options);
  expect(command.exitCode).toBe(1);
  expect(listed).toBeLessThan(9);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/WARREN_TOKEN is not known there.*\n.*the same command, repeated, goes on/);
  expect(JSON.parse(printed.join()).runs.length).toBeLessThan(9);
});

test('an import reads nothing where no server answers, or knows no such token', async () => {
  const vacant = createServer().listen(0, '127.0.0.1');
  await once(vacant, 'listening');
  const { port } = vacant.address() as { port: number };
  vacant.close();
  const list = () => {
    throw new Error('the source was read');
  };
  const nowhere = commandWith(createApiClient({ url: `http://127.0.0.1:${port}`, token: null }));
  await expect(importRuns(nowhere.command, list, options)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const unknown = commandWith(createApiClient({ url: api.url, token: 'nonsense' }));
  await expect(importRuns(unknown.command, list, options)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('an import says which runs are where it was not told to bring them', async () => {
  const { token } = await issueToken(context, { name: 'twice', role: 'WRITE' });
  const { command, said } = commandWith(createApiClient({ url: api.url, token }));
  async function* two() {
    yield runNumbered(7);
    yield runNumbered(8);
  }
  async function* three() {
    yield* two();
    yield runNumbered(9);
  }
  await importRuns(command, two, { ...options, project: 'first' });
  expect(said).toEqual([]);
  await importRuns(command, three, { ...options, project: 'second' });
  expect(said).toEqual(['warren: 2 runs of them: in project "first" since before, and brought up to date there']);
});

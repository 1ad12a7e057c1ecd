import { expect, it } from 'vitest';
import { issueToken } from '#src/people/apiTokens.ts';
import { mcpForTests } from './support/mcpForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { SECRET, twoProjectsForTests } from './support/twoProjects.ts';

const { api, context, mine, theirs, fingerprint } = await twoProjectsForTests();
const grants = [{ project: 'mine', role: 'WRITE' as const }];
const { token } = await issueToken(context, { name: 'agent', role: 'READ', grants });
const home = temporaryFolder();
const sessionWith = (variables: Record<string, string>) =>
  mcpForTests({
    parameters: ['--allow-changes'],
    variables: { WARREN_API_URL: api.url, WARREN_HOME: home, ...variables },
  });

it('shows nothing of a project that the token has no right to, and changes nothing there', async () => {
  const { client, call } = await sessionWith({ WARREN_TOKEN: token });
  const before = await fingerprint();
  const runs = [theirs.runId];
  const answers = [
    await call('find_runs', { columns: ['name', 'tags', 'notes'] }),
    await call('find_runs', { project: 'theirs' }),
    await call('find_runs', { filter: `config.${SECRET}x = 1` }),
    await call('group_runs', { groupBy: ['project', 'tag'] }),
    await call('sweeps'),
    await call('status'),
    await call('datasets'),
    ...(await Promise.all(
      [
        ['show_run', { run: theirs.runId }],
        ['run_log', { run: theirs.runId }],
        ['run_curves', { runs, metrics: [`${SECRET}/loss`] }],
        ['compare_runs', { runs: [mine.runId, theirs.runId] }],
        ['sweeps', { sweep: theirs.targets.sweeps[1] }],
        ['tag_runs', { runs, add: ['x'] }],
        ['note_runs', { runs, note: 'x' }],
        ['retry_runs', { runs }],
        ['queue_runs', { kind: 'item-knn', dataset: 'generated/markov-small', project: 'theirs' }],
      ].map(async ([tool, input]) => {
        const answer = await call(String(tool), Object(input));
        expect([tool, answer.isError]).toEqual([tool, true]);
        return answer;
      }),
    )),
  ];
  // errors repeat the words of the questions
  const words = new RegExp(`${SECRET}(x|/loss)`, 'g');
  expect(JSON.stringify(answers).replace(words, '')).not.toContain(SECRET);
  expect(answers[0]?.data.total).toBeGreaterThan(0);
  expect(await fingerprint()).toBe(before);
  await client.close();
});

it('says that a token is wanted, or is not known', async () => {
  const { call } = await sessionWith({});
  expect(await call('find_runs')).toMatchObject({ isError: true, text: expect.stringContaining('set WARREN_TOKEN') });
  const wrong = await sessionWith({ WARREN_TOKEN: 'wrong' });
  expect((await wrong.call('find_runs')).text).toContain('WARREN_TOKEN is not known there');
});

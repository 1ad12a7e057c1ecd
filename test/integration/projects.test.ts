import { expect, test } from 'vitest';
import { apiForTests } from './support/apiForTests.ts';
import { runWarren } from './support/warrenCommand.ts';

const api = await apiForTests();
const { ok } = api;
const warren = async (...parameters: string[]) => {
  const { code, stdout, stderr } = await runWarren(parameters, { WARREN_API_URL: api.url });
  return { code, stdout, stderr };
};

const numbersIn = async (project: string): Promise<number[]> =>
  (await ok(`{ runs(project: "${project}") { edges { node { number } } } }`)).runs.edges.map(
    ({ node }: { node: { number: number } }) => node.number,
  );
const names = async (deleted: boolean): Promise<string[]> =>
  (await ok(`{ projects(first: 500, deleted: ${deleted}) { edges { node { name } } } }`)).projects.edges.map(
    ({ node }: { node: { name: string } }) => node.name,
  );
const refusal = async (mutation: string) => {
  const [error] = (await api.graphql(`mutation { ${mutation} { name } }`)).errors;
  return `${error?.extensions.code} ${error?.message}`;
};
/** A run that has ended. */
async function endedRun(project: string): Promise<{ id: string; number: number }> {
  const { createRun } = await ok(`mutation { createRun(input: { project: "${project}" }) { id number } }`);
  await ok('mutation ($id: ID!) { finishRun(runId: $id, state: SUCCEEDED) { id } }', { id: createRun.id });
  return createRun;
}

test('a project is made, described, renamed and listed on the command line', async () => {
  expect(await warren('project', 'create', 'papers', '--description', 'Camera-ready')).toMatchObject({
    code: 0,
    stdout: 'papers is made\n',
  });
  const run = await endedRun('papers');
  expect((await warren('project', 'edit', 'papers', '--name', 'articles')).stdout).toBe('papers is called articles\n');
  expect(await numbersIn('articles')).toEqual([run.number]);
  const { stdout } = await warren('project', 'ls');
  expect(stdout).toMatch(/^project +runs +active +description\narticles +1 .*ago +Camera-ready$/m);
  const unchanged = await warren('project', 'edit', 'articles');
  expect(unchanged).toMatchObject({ code: 2, stderr: expect.stringContaining('give --name or --description') });
});

test('a deleted project goes to the trash with its runs, and comes back with those that went with it', async () => {
  const [before, along] = [await endedRun('short'), await endedRun('short')];
  await ok('mutation ($ids: [ID!]!) { deleteRuns(ids: $ids) { id } }', { ids: [before.id] });
  expect((await warren('project', 'delete', 'short')).stdout).toContain('is in the trash with its runs');
  expect([await names(false), await names(true)]).toEqual([expect.not.arrayContaining(['short']), ['short']]);
  expect(await numbersIn('short')).toEqual([]);
  expect(await refusal('deleteProject(project: "short")')).toBe('CONFLICT project "short" is in the trash already');
  expect((await warren('project', 'ls', '--deleted')).stdout).toMatch(/^short /m);
  expect((await warren('project', 'undelete', 'short')).stdout).toBe('short is back, with 1 run\n');
  expect(await numbersIn('short')).toEqual([along.number]);
  expect(await refusal('undeleteProject(project: "short")')).toBe('CONFLICT project "short" is not in the trash');
});

test('a project in which something goes on is not deleted, and it is said what', async () => {
  const { createRun } = await ok('mutation { createRun(input: { project: "busy" }) { number } }');
  const space = { kind: 'mf-bpr', dataset: { name: 'generated/markov-small' }, method: 'random', run_cap: 1000 };
  const file = { ...space, metric: { name: 'valid/ndcg@10' }, parameters: { dimension: { values: [8, 16] } } };
  const asked = { input: { project: 'busy', file } };
  const { createSweep } = await ok(
    'mutation ($input: CreateSweepInput!) { createSweep(input: $input) { sweep { number } } }',
    asked,
  );
  const work = `run(s)? ${createRun.number}\\b.*; sweep ${createSweep.sweep.number}`;
  expect(await refusal('deleteProject(project: "busy")')).toMatch(
    new RegExp(`^CONFLICT project "busy" is still at work: ${work}\\. Cancel that first, or wait for its end\\.$`),
  );
  expect(await names(false)).toContain('busy');
});

test('what is wrong with a change of a project is said', async () => {
  await ok('mutation { a: createProject(name: "one") { id } b: createProject(name: "other") { id } }');
  const edit = (rest: string) => refusal(`editProject(${rest})`);
  expect(await edit('project: "one", name: "other"')).toBe('CONFLICT there is a project "other" already');
  expect(await edit('project: "oone", name: "x"')).toContain(
    'NOT_FOUND there is no project "oone". Did you mean "one"?',
  );
  expect(await edit('project: "one", name: ""')).toContain('BAD_INPUT name: ');
  expect(await edit(`project: "one", description: "${'x'.repeat(10_001)}"`)).toContain('at most 10,000 characters');
  expect(await refusal('deleteProject(project: "none")')).toContain('NOT_FOUND there is no project "none"');
});

test('a project is deleted for good with the trash, once its runs are gone, and its name is free', async () => {
  await endedRun('gone');
  await ok(
    'mutation { createProject(name: "void") { id } a: deleteProject(project: "gone") { id } b: deleteProject(project: "void") { id } }',
  );
  const empty = (dryRun: boolean) =>
    ok(`mutation { emptyTrash(olderThanDays: 0, dryRun: ${dryRun}) { projects } }`).then(
      ({ emptyTrash }) => emptyTrash,
    );
  expect(await empty(true)).toEqual({ projects: 2 });
  expect(await names(true)).toEqual(['gone', 'void']);
  expect(await empty(false)).toEqual({ projects: 2 });
  expect(await names(true)).toEqual([]);
  await ok('mutation { createProject(name: "void") { id } }');
});

test('a run takes its project back out of the trash', async () => {
  await ok(
    'mutation { createProject(name: "again", description: "kept") { id } deleteProject(project: "again") { id } }',
  );
  await endedRun('again');
  expect((await ok('{ project(name: "again") { description deletedAt runCount } }')).project).toEqual({
    ...{ description: 'kept', deletedAt: null, runCount: 1 },
  });
});

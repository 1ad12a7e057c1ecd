import { createHash, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { aHeldRun, aWorker, claim, servicesForTests } from '../services/support.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { runShell } from '../support/runShell.ts';
import { waitUntil } from '../support/waitUntil.ts';

const document = documentForTests('registry.md');
const warren = `warren() { "${process.execPath}" "${builtFile('cli.js')}" "$@"; }\n`;
const blocks = {
  register: document.take('register'),
  input: document.take('input'),
  python: document.take('python'),
};
const api = await apiForTests({ collectEveryMs: 50 });
const { ok, graphql } = api;
const python = pythonForTests({ WARREN_API_URL: api.url });
const context = await servicesForTests(api.postgres.url);
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

async function runWith(files: Readonly<Record<string, string>>): Promise<{ id: string; number: number }> {
  const { createRun: run } = await ok('mutation { createRun(input: { project: "shop" }) { id number } }');
  await put(run.id, files);
  return run;
}

async function put(run: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, body] of Object.entries(files)) {
    expect((await api.fetch(`/artifacts/${run}/${name}`, { method: 'PUT', body })).status).toBe(201);
  }
}

const REGISTER = `mutation ($input: RegisterVersionInput!) {
  registerVersion(input: $input) { name number sha256 aliases artifactName files { path url } }
}`;
const register = async (input: Record<string, unknown>) => (await ok(REGISTER, { input })).registerVersion;
const errorOf = async (query: string, variables: Record<string, unknown> = {}) =>
  (await graphql(query, variables)).errors[0];

const stored = (): string[] =>
  readdirSync(api.artifactFolder, { recursive: true, withFileTypes: true }).map(({ name }) => name);

it('registers from a shell, and a run that was queued with an alias keeps what that meant', async () => {
  const run = await runWith({ 'model.npz': 'five epochs' });
  expect(run.number).toBe(1);
  const shown = await runShell(`${warren}${blocks.register}`, { WARREN_API_URL: api.url });
  expect(shown).toContain('ranker:1  @production  @staging');
  expect(shown).toContain(digest('five epochs'));
  const queued = await runShell(`${warren}${blocks.input}`, { WARREN_API_URL: api.url });
  const number = /#(\d+)/.exec(queued)?.[1];
  await put(run.id, { 'model.npz': 'ten epochs' });
  await register({ name: 'ranker', runId: run.id, artifactName: 'model.npz', aliases: ['production'] });
  const { run: taker } = await ok(
    `query ($id: ID!) { run(id: $id) { id state inputs { name sha256 } usedVersions { name number } } }`,
    { id: number },
  );
  expect(taker).toMatchObject({
    state: 'QUEUED',
    inputs: [{ name: 'model', sha256: digest('five epochs') }],
    usedVersions: [{ name: 'ranker', number: 1 }],
  });
  const { errors } = await graphql('mutation { deleteRegistryVersion(version: "ranker:1") }');
  expect(errors[0]).toMatchObject({ extensions: { code: 'CONFLICT' } });
  const asMlflow = await api.fetch('/mlflow/api/2.0/mlflow/model-versions/delete', {
    ...{ method: 'DELETE', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ name: 'ranker', version: '1' }),
  });
  expect(asMlflow.status).toBe(400);
  const worker = await aWorker(context);
  const claimed = await claim(context, taker, { worker });
  const [input] = claimed?.inputs ?? [];
  const { runId, name, sha256 } = input!.artifact;
  const bytes = await api.fetch(`/artifacts/${runId}/${name}?sha256=${sha256}`, {
    headers: { authorization: `Bearer ${claimed?.token}` },
  });
  expect(await bytes.text()).toBe('five epochs');
  const other = await api.fetch(`/artifacts/${run.id}/other`, {
    headers: { authorization: `Bearer ${claimed?.token}` },
  });
  expect(other.status).toBe(403);
});

it.skipIf(python === null)('registers from a program, which another one takes', async () => {
  const printed = await python!.run(blocks.python);
  expect(printed).toContain('weights');
  const { registryVersion } = await ok(
    '{ registryVersion(version: "scorer@best") { number run { name } usedBy { name } files { path } } }',
  );
  expect(registryVersion).toEqual({
    ...{ number: 1, run: { name: 'train' }, usedBy: [{ name: 'score' }] },
    files: [{ path: 'model.txt' }],
  });
  const refused = await python!.start('import warren; warren.use_artifact("scorer@none")').ended;
  expect(refused.stderr).toContain('scorer has no alias "none": it has best');
});

it('keeps the files of a version, whatever becomes of the run, until the version is deleted', async () => {
  const run = await runWith({ 'net/a.bin': 'first', 'net/b.bin': 'second', 'note.txt': 'other' });
  const version = await register({ name: 'net', runId: run.id, artifactName: 'net/', aliases: ['best'] });
  expect(version).toMatchObject({
    ...{ number: 1, artifactName: 'net', files: [{ path: 'a.bin' }, { path: 'b.bin' }] },
    sha256: digest(`${digest('first')}  a.bin\n${digest('second')}  b.bin\n`),
  });
  await put(run.id, { 'net/a.bin': 'changed', 'note.txt': 'passing' });
  await put(run.id, { 'note.txt': 'passed' });
  await waitUntil('the collector has been here', () => !stored().includes(digest('passing')));
  expect(await (await api.fetch(version.files[0].url)).text()).toBe('first');
  await ok('mutation ($id: ID!) { finishRun(runId: $id, state: SUCCEEDED) { id } }', { id: run.id });
  await ok('mutation ($id: ID!) { deleteRuns(ids: [$id]) { run { id } } }', { id: run.id });
  const { emptyTrash } = await ok('mutation { emptyTrash(olderThanDays: 0) { runs kept { registeredAs } } }');
  expect(emptyTrash).toEqual({ runs: 0, kept: [{ registeredAs: ['net:1'] }] });
  expect(await (await api.fetch(version.files[0].url)).text()).toBe('first');
  await ok('mutation { deleteRegistryVersion(version: "net@best") }');
  await waitUntil('the files are freed', () => !stored().includes(digest('first')));
  expect(await register({ name: 'net', runId: run.id, artifactName: 'net/b.bin' })).toMatchObject({ number: 2 });
});

it('keeps a run from which a version is registered while the trash is emptied', async () => {
  const run = await runWith({ late: 'late' });
  await ok('mutation { createRegistryEntry(input: { name: "late" }) { id } }');
  await ok('mutation ($id: ID!) { finishRun(runId: $id) { id } deleteRuns(ids: [$id]) { done } }', { id: run.id });
  const emptying = await context.db.$transaction(async (connection) => {
    await connection.$executeRaw`INSERT INTO registry_version (id, entry_id, number, run_id)
      SELECT ${randomUUID()}::uuid, id, 1, ${run.id}::uuid FROM registry_entry WHERE name = 'late'`;
    const emptied = ok('mutation { emptyTrash(olderThanDays: 0) { runs } }');
    await waitUntil('the deletion waits', async () => {
      const waiting = await context.db.$queryRaw<unknown[]>`
        SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      return waiting.length > 0;
    });
    return { emptied };
  });
  await emptying.emptied;
  expect((await ok('{ registryVersion(version: "late:1") { run { id } } }')).registryVersion).toEqual({
    run: { id: run.id },
  });
});

it('gives versions registered at once numbers of their own, and an alias one version', async () => {
  const files = Array.from({ length: 20 }, (_, index) => `f${index}`);
  const run = await runWith(Object.fromEntries(files.map((name) => [name, 'bytes'])));
  const input = { name: 'crowd', runId: run.id, aliases: ['newest'] };
  const versions = await Promise.all(files.map((artifactName) => register({ ...input, artifactName })));
  expect(versions.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  const { registryEntry } = await ok(
    '{ registryEntry(name: "crowd") { aliases { name } newest { number } versions(first: 3, before: 5) { number } } }',
  );
  expect(registryEntry).toEqual({
    aliases: [{ name: 'newest' }],
    newest: { number: 20 },
    versions: [{ number: 4 }, { number: 3 }, { number: 2 }],
  });
  // the same files of the same run are one version
  const again = await register({ ...input, artifactName: files[3], aliases: ['best'] });
  expect(again.number).toBe(versions[3].number);
  expect(again.aliases).toContain('best');
  await register({ ...input, artifactName: files[3], description: 'it', tags: [{ key: 'team', value: 'search' }] });
  await register({ ...input, artifactName: files[3] });
  const kept = await ok('{ registryVersion(version: "crowd@best") { number description tags } }');
  expect(kept.registryVersion).toEqual({ number: again.number, description: 'it', tags: { team: 'search' } });
  // a tag without a value is removed, whether null is given or nothing
  const change = 'mutation ($input: UpdateRegistryEntryInput!) { updateRegistryEntry(input: $input) { tags } }';
  for (const removed of [{ key: 'team' }, { key: 'team', value: null }]) {
    const set = { name: 'crowd', tags: [{ key: 'team', value: 'search' }] };
    expect((await ok(change, { input: set })).updateRegistryEntry.tags).toEqual({ team: 'search' });
    const { tags } = (await ok(change, { input: { name: 'crowd', tags: [removed] } })).updateRegistryEntry;
    expect(tags).toEqual({});
  }
});

it('lists by type, text and tag, page by page, and says what is wrong', async () => {
  const create = 'mutation ($input: CreateRegistryEntryInput!) { createRegistryEntry(input: $input) { name } }';
  for (const name of ['beauty', 'Beauty-small', 'toys']) {
    const tags = [{ key: 'team', value: name === 'toys' ? 'b' : 'a' }];
    await ok(create, { input: { name, type: 'dataset', tags } });
  }
  const list = async (more: string) => {
    const { registryEntries } = await ok(
      `{ registryEntries(type: dataset ${more}) { edges { node { name } } pageInfo { hasNextPage endCursor } } }`,
    );
    return registryEntries;
  };
  const names = (page: Awaited<ReturnType<typeof list>>) =>
    page.edges.map(({ node }: { node: { name: string } }) => node.name);
  expect(names(await list('search: "BEAUTY"'))).toEqual(['Beauty-small', 'beauty']);
  expect(names(await list('tags: ["team=b"]'))).toEqual(['toys']);
  const first = await list('first: 2');
  expect(names(await list(`first: 2 after: "${first.pageInfo.endCursor}"`))).toEqual(['toys']);
  expect(first.pageInfo.hasNextPage).toBe(true);
  const run = await runWith({ a: '1', b: '2' });
  const refusals: [unknown, string][] = [
    [{ name: 'a/b', runId: run.id }, 'name: a name has no "/", ":", "@"'],
    [{ name: 'm', runId: run.id }, 'artifactName: say which: run'],
    [{ name: 'm', runId: run.id, artifactName: 'c' }, 'has no artifact or folder "c"'],
    [{ name: 'm', runId: run.id, artifactName: 'a', aliases: ['v3'] }, 'would be taken for the number of a version'],
    [{ name: 'm', runId: run.id, artifactName: 'a', aliases: ['latest'] }, '"latest" always is the newest version'],
    [{ name: 'toys', type: 'model', runId: run.id, artifactName: 'a' }, '"toys" is registered as a dataset'],
    [{ name: 'm', runId: randomUUID() }, 'there is no run'],
  ];
  for (const [input, message] of refusals)
    expect((await errorOf(REGISTER, { input: input as object }))?.message).toContain(message);
  const version = async (reference: string) =>
    (
      await errorOf('query ($version: String!) { registryVersion(version: $version) { number } }', {
        version: reference,
      })
    )?.message;
  expect(await version('beuty:1')).toContain('no model or dataset is registered as "beuty"');
  expect(await version('toys:latest')).toBe('toys has no version yet');
  expect(await version('toys@x')).toBe('toys has no alias "x": it has none');
  expect(await version('toys')).toContain('expected NAME@ALIAS');
});

it('lets the token of a run register what that run left, and no more', async () => {
  const { run } = await aHeldRun(context, await aWorker(context));
  const other = await runWith({ a: 'theirs' });
  const { token } = (await tokenOf(run.id)) ?? {};
  const asked = (input: Record<string, unknown>) =>
    graphql(
      'mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { number } }',
      { input },
      {
        authorization: `Bearer ${token}`,
      },
    );
  const theirs = await asked({ name: 'own', runId: other.id, artifactName: 'a' });
  expect(theirs.errors[0]?.extensions.code).toBe('FORBIDDEN');
  const own = await asked({ name: 'own', runId: run.id, artifactName: 'a' });
  expect(own.errors[0]?.message).toContain('left no file');
  const alias = await graphql(
    'mutation { setRegistryAlias(version: "crowd:1", alias: "x") { number } }',
    {},
    {
      authorization: `Bearer ${token}`,
    },
  );
  expect(alias.errors[0]?.extensions.code).toBe('FORBIDDEN');
});

/** A fresh token of the attempt that holds a run. */
async function tokenOf(runId: string): Promise<{ token: string } | null> {
  const token = `warren_run_${randomUUID()}`;
  const data = { tokenHash: digest(token) };
  await context.db.attempt.update({ where: { runId_number: { runId, number: 1 } }, data });
  return { token };
}

import { expect, test } from 'vitest';
import { enqueueCommand } from '#src/programs/enqueueCommand.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { attachArtifact } from '#src/artifacts/store/artifactRecord.ts';
import { bearer, SECRET, twoProjectsForTests } from './support/twoProjects.ts';
import { waitUntil } from './support/waitUntil.ts';

const { api, context, ok, mine, theirs } = await twoProjectsForTests();

test('a link shows a run and nothing else, until it is withdrawn', async () => {
  const make =
    'mutation ($input: ShareLinkInput!) { createShareLink(input: $input) { secret address link { id title page } } }';
  const { token: member } = await issueToken(context, {
    ...{ name: 'who shares', role: 'READ' as const },
    grants: [{ project: 'mine', role: 'WRITE' as const }],
  });
  const other = await api.graphql(make, { input: { runs: [theirs.runId] } }, bearer(member));
  expect(other.errors[0]?.extensions.code).toBe('NOT_FOUND');
  const { createShareLink: made } = await ok(make, { input: { runs: [mine.runId] } }, member);
  expect(made.address).toBe(`/shared#${made.secret}`);
  const run =
    '{ runs { edges { node { id name metrics { name lastValue } artifacts { name viewUrl } } } } server { role caller { kind shared { page } } } }';
  const { runs, server } = await ok(run, {}, made.secret);
  expect(runs.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual([mine.runId]);
  expect(server).toMatchObject({
    role: 'READ',
    caller: { kind: 'share', shared: { page: expect.stringContaining('/runs/') } },
  });
  const { viewUrl } = runs.edges[0].node.artifacts[0];
  expect((await api.fetch(viewUrl)).status).toBe(200);
  expect((await api.fetch(viewUrl.replace(/&link=.*/, ''))).status).toBe(403);
  const headers = bearer(made.secret);
  expect((await api.fetch(`/artifacts/${mine.runId}/notes.txt`, { headers })).status).toBe(200);
  expect((await api.fetch(`/artifacts/${mine.runId}/x`, { headers, method: 'PUT', body: 'x' })).status).toBe(403);
  for (const path of [
    '/metrics',
    '/mlflow/api/2.0/mlflow/experiments/search',
    `/artifacts/${mine.targets.runs[2]}/notes.txt`,
  ]) {
    expect((await api.fetch(path, { headers })).status, path).toBeGreaterThanOrEqual(403);
  }
  // who moves it need not know of the link, and its new project was never shared
  const { createShareLink: moving } = await ok(make, { input: { runs: [mine.runId] } }, member);
  const shownBy = async (secret: string) =>
    (await api.graphql('{ runs { edges { node { id } } } }', {}, bearer(secret))).data;
  const { run: moved } = await ok('query ($id: ID!) { run(id: $id) { number } }', { id: mine.runId });
  const moveTo = (toProject: string) =>
    ok('mutation ($input: ChangeRunsInput!) { changeRuns(input: $input) { changedIds } }', {
      input: { action: 'MOVE', filter: `number = ${moved.number}`, expected: 1, toProject },
    });
  expect((await shownBy(moving.secret)).runs.edges).toHaveLength(1);
  await moveTo('elsewhere');
  expect(await shownBy(moving.secret)).toEqual({ runs: { edges: [] } });
  expect((await api.fetch(`/artifacts/${mine.runId}/notes.txt`, { headers: bearer(moving.secret) })).status).toBe(404);
  await moveTo('mine');
  expect((await shownBy(moving.secret)).runs.edges).toHaveLength(0);

  await ok('mutation ($id: ID!) { withdrawShareLink(id: $id) { id } }', { id: made.link.id }, member);
  expect((await api.fetch(viewUrl)).status).toBe(403);
  await waitUntil(
    'the link is refused',
    async () => (await api.graphql('{ server { role } }', {}, headers)).status === 401,
  );
});

test('a link shows neither code, command nor surroundings of a program, unless its maker says so', async () => {
  const word = 'word-of-the-command';
  const [run] = await enqueueCommand(
    context,
    { project: 'mine', command: ['train', '--password', word, '--lr', '{lr}'], parameters: { lr: 0.5 } },
    async () => null,
  );
  const { id } = run!;
  expect(run!.name, 'what looks secret is no part of a name').not.toContain(word);
  await context.db.run.update({ where: { id }, data: { environment: { host: word, config: { width: 8 } } } });
  await attachArtifact(context.db, [id], {
    ...{ name: 'code.tar.gz', role: 'code', mediaType: 'application/gzip', sizeBytes: 1, sha256: 'ab'.repeat(32) },
  });
  const make = 'mutation ($input: ShareLinkInput!) { createShareLink(input: $input) { secret } }';
  const shows = `{ run(id: "${id}") { environment configuration { parameters } artifacts { name } } runs { edges { node { name } } } }`;
  const shownWith = async (withProgram: boolean) => {
    const { createShareLink: made } = await ok(make, { input: { runs: [id], withProgram } });
    return await ok(shows, {}, made.secret);
  };
  const { run: seen, ...rest } = await shownWith(false);
  expect(JSON.stringify([seen, rest])).not.toContain(word);
  expect(seen).toMatchObject({ artifacts: [], configuration: { parameters: { lr: 0.5, width: 8, command: ['…'] } } });
  expect((await shownWith(true)).run).toMatchObject({
    ...{ artifacts: [{ name: 'code.tar.gz' }], environment: { host: word } },
  });
});

test('a link to the table of a project shows what meets its filter now, and whoever has it changes nothing', async () => {
  const make = 'mutation ($input: ShareLinkInput!) { createShareLink(input: $input) { secret link { page } } }';
  const input = { project: 'mine', filter: 'tag = shown', title: 'For my supervisor' };
  const { createShareLink: made } = await ok(make, { input });
  expect(made.link.page).toContain('/runs?project=mine');
  const headers = bearer(made.secret);
  const seen = async () =>
    (await api.graphql('{ runs { edges { node { id } } } }', {}, headers)).data.runs.edges.length;
  expect(await seen()).toBe(0);
  const refused = await api.graphql('mutation { createRun(input: { project: "mine" }) { id } }', {}, headers);
  expect(refused.errors[0]?.extensions.code).toBe('FORBIDDEN');
  expect((await api.graphql('{ workers { name } }', {}, headers)).errors[0]?.extensions.code).toBe('FORBIDDEN');
});

test('a link to a report shows its newest version with the runs of its own project, and nothing else', async () => {
  const { runs } = await ok('{ runs(project: "mine") { edges { node { id number } } } }');
  const [first, second] = runs.edges.map(({ node }: { node: { id: string; number: number } }) => node);
  const others = theirs.targets.runs[1]!;
  const save = 'mutation ($input: SaveReportInput!) { saveReport(input: $input) { id number version } }';
  const { saveReport: report } = await ok(save, {
    input: { project: 'mine', title: 'draft', text: `a draft: [[run ${second.number}]]` },
  });
  const text = `[[run ${first.number}]]\n\n\`\`\`warren-comparison\nruns: ${first.number}, ${others}\n\`\`\`\n\n\`\`\`warren-table\nproject: theirs\n\`\`\``;
  await ok(save, { input: { id: report.id, basedOn: 1, title: 'findings', text } });
  const make =
    'mutation ($input: ShareLinkInput!) { createShareLink(input: $input) { secret link { title page kind } } }';
  const { createShareLink: made } = await ok(make, { input: { report: String(report.number) } });
  expect(made.link).toEqual({ title: 'findings', page: `/reports/${report.number}`, kind: 'report' });
  const read =
    'query ($id: ID!) { report(id: $id) { title text markdown project { name } versions { version } } runs { edges { node { id } } } }';
  const seen = await ok(read, { id: report.id }, made.secret);
  expect(seen.report).toMatchObject({ title: 'findings', text, project: { name: 'mine' }, versions: [{ version: 2 }] });
  expect(seen.report.markdown).not.toContain(SECRET);
  const kept = await ok(
    'query ($id: ID!) { report(id: $id) { pins(version: 1) { block } } }',
    { id: report.id },
    made.secret,
  );
  expect(kept.report.pins, 'of older versions not even their runs').toEqual([]);
  expect(seen.runs.edges.map(({ node }: { node: { id: string } }) => node.id)).toEqual([first.id]);
  const headers = bearer(made.secret);
  const refused = async (query: string, variables = {}) =>
    (await api.graphql(query, variables, headers)).errors[0]?.extensions.code;
  expect(await refused('query ($id: ID!) { report(id: $id) { text(version: 1) } }', { id: report.id })).toBe(
    'NOT_FOUND',
  );
  expect(await refused('query ($id: ID!) { report(id: $id) { text } }', { id: mine.targets.reports[0] })).toBe(
    'NOT_FOUND',
  );
  expect(await refused('{ reports { text } }')).toBe('FORBIDDEN');
  expect(await refused(save, { input: { id: report.id, basedOn: 2, text: '' } })).toBe('FORBIDDEN');
  await ok('mutation ($id: ID!) { deleteReport(id: $id) { id } }', { id: report.id });
  expect(await refused(read, { id: report.id })).toBe('NOT_FOUND');
});

import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { insertWebhook } from '#src/registry/store/webhookRecord.ts';
import { changeProjectQuota } from '#src/artifacts/projectQuota.ts';
import { issueToken, revokeToken } from '#src/people/apiTokens.ts';
import { jsonOf } from './support/apiForTests.ts';
import { bearer, SECRET, twoProjectsForTests } from './support/twoProjects.ts';
import { waitUntil } from './support/waitUntil.ts';

const { api, context, ok, mine, theirs, fingerprint } = await twoProjectsForTests();

test('a token for some projects may do there what it was made for, and sees what is logged live', async () => {
  const grants = [{ project: 'mine', role: 'WRITE' as const }];
  const { token } = await issueToken(context, { name: 'worker of mine', role: 'READ', grants });
  const { createRun: run } = await ok(
    'mutation { createRun(input: { project: "mine", parameters: { fresh: 1 } }) { id project { name } } }',
    {},
    token,
  );
  const log = 'mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }';
  const series = (step: number) => [{ name: 'loss', steps: [step], values: [1] }];
  expect((await ok(log, { id: run.id, series: series(0) }, token)).logMetrics).toBe(1);
  const document =
    'mutation ($runId: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $runId, series: $series) }';
  expect((await ok(document, { runId: run.id, series: series(1) }, token)).logMetrics).toBe(1);
  const outside = await api.graphql(document, { runId: theirs.runId, series: series(9) }, bearer(token));
  expect(outside.errors[0]?.extensions.code).toBe('NOT_FOUND');
  const client = api.socket({ token });
  const seen: string[] = [];
  const stop = client.subscribe(
    { query: 'subscription { runChanged { id name project { name } } }' },
    {
      next: (value) => seen.push(JSON.stringify(value)),
      error: (error) => seen.push(JSON.stringify(error)),
      complete: () => {},
    },
  );
  await waitUntil('the run is told', () => seen.some((text) => text.includes(run.id)));
  await ok('mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }', {
    input: { id: theirs.runId, tags: [SECRET, 'again'] },
  });
  await ok(
    'mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }',
    { input: { id: run.id, name: 'told' } },
    token,
  );
  await waitUntil('the new name is told', () => seen.some((text) => text.includes('told')));
  expect(seen.join()).not.toContain('theirs');
  stop();
  await client.dispose();
  for (const query of [
    'subscription ($id: ID!) { logAppended(runId: $id) { cursor } }',
    'subscription ($id: ID!) { metricsLogged(runIds: [$id], after: [0]) { series { name } } }',
    'subscription ($id: ID!) { runChanged(runIds: [$id]) { name } }',
  ]) {
    const other = api.socket({ token });
    const told = await new Promise<string>((resolve) => {
      other.subscribe(
        { query, variables: { id: theirs.runId } },
        {
          next: (value) => resolve(JSON.stringify(value)),
          error: (error) => resolve(JSON.stringify(error)),
          complete: () => {},
        },
      );
    });
    expect(told).toContain('NOT_FOUND');
    await other.dispose();
  }
});

test('registered versions are seen with their runs, and what other projects share stays as it is', async () => {
  const { token } = await issueToken(context, {
    ...{ name: 'who registers', role: 'READ' as const },
    grants: [{ project: 'mine', role: 'WRITE' as const }],
  });
  const register = 'mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { number aliases } }';
  const of = (runId: string, name: string, aliases: string[] = []) => ({
    input: { runId, name, artifactName: 'notes.txt', aliases },
  });
  expect((await ok(register, of(mine.runId, 'both'))).registerVersion.number).toBe(1);
  await ok(register, of(theirs.runId, 'both', ['production']));
  const entries =
    '{ registryEntries(first: 30) { edges { node { name aliases { name } versions(first: 5) { number files(first: 5) { path } } } } } }';
  const seen = (await ok(entries, {}, token)).registryEntries.edges
    .map(({ node }: { node: { versions: unknown[] } }) => node)
    .filter(({ versions }: { versions: unknown[] }) => versions.length > 0);
  const files = [{ path: 'notes.txt' }];
  expect(seen).toEqual([
    { name: 'both', aliases: [], versions: [{ number: 1, files }] },
    { name: 'ownmark-model', aliases: [{ name: 'ownmark' }], versions: [{ number: 1, files }] },
  ]);
  const before = await fingerprint();
  const refusal = async (query: string, variables = {}) =>
    (await api.graphql(query, variables, bearer(token))).errors[0]?.extensions.code;
  expect(await refusal('mutation { deleteRegistryEntry(name: "both") }')).toBe('FORBIDDEN');
  const rename = 'mutation ($to: String!) { updateRegistryEntry(input: { name: "both", newName: $to }) { name } }';
  expect(await refusal(rename, { to: 'x' })).toBe('FORBIDDEN');
  expect(await refusal('mutation { setRegistryAlias(version: "both:1", alias: "production") { number } }')).toBe(
    'FORBIDDEN',
  );
  expect(await refusal(register, of(mine.runId, `${SECRET}-model`))).toBe('CONFLICT');
  expect(await refusal('{ registryVersion(version: "both:2") { id } }')).toBe('NOT_FOUND');
  expect(await refusal(register, of(theirs.runId, 'both'))).toBe('NOT_FOUND');
  const own =
    'mutation ($to: String!) { updateRegistryEntry(input: { name: "ownmark-model", newName: $to }) { name } }';
  expect(await refusal(own, { to: `${SECRET}-model` })).toBe('CONFLICT');
  expect(await fingerprint()).toBe(before);
  expect((await ok(register, of(mine.runId, 'new', ['production']), token)).registerVersion).toEqual({
    number: 1,
    aliases: ['production'],
  });
  expect(
    (await ok('mutation { createRegistryEntry(input: { name: "empty" }) { name } }', {}, token)).createRegistryEntry,
  ).toEqual({ name: 'empty' });
  await ok('mutation { deleteRegistryEntry(name: "new") }', {}, token);
});

test('who changed what is written down, for admins of the server and of the project', async () => {
  const { token } = await issueToken(context, {
    name: 'of mine',
    role: 'READ',
    grants: [{ project: 'mine', role: 'ADMIN' }],
  });
  await ok(
    'mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }',
    { input: { id: mine.runId, name: 'x' } },
    token,
  );
  const query = '{ auditLog(first: 500) { actor actorKind action projects objects result details } }';
  const own = (await ok(query, {}, token)).auditLog;
  expect(own[0]).toMatchObject({
    actor: 'of mine',
    actorKind: 'token',
    action: 'updateRun',
    projects: ['mine'],
    result: 'done',
  });
  expect(own.every(({ projects }: { projects: string[] }) => projects.join() === 'mine')).toBe(true);

  // what comes by MLflow's protocol belongs to projects as well
  const mlflow = async (path: string, body: unknown) => {
    const init = { method: 'POST', headers: bearer(token), body: JSON.stringify(body) };
    expect((await api.fetch(`/mlflow/api/2.0/mlflow/${path}`, init)).status, path).toBe(200);
  };
  const runId = mine.runId.replaceAll('-', '');
  await mlflow('runs/delete', { run_id: runId });
  await mlflow('runs/restore', { run_id: runId });
  const since = (await ok(query, {}, token)).auditLog.slice(0, 2);
  expect(since).toMatchObject(
    ['runs/restore', 'runs/delete'].map((path) => ({ action: `mlflow ${path}`, projects: ['mine'], objects: [runId] })),
  );
  const all = (await ok(query)).auditLog;
  expect(all.length).toBeGreaterThan(own.length);
  expect(JSON.stringify(all)).not.toContain('warren_');
  const { token: reader } = await issueToken(context, { name: 'a reader', role: 'READ' });
  expect((await api.graphql(query, {}, bearer(reader))).errors[0]?.extensions.code).toBe('FORBIDDEN');
});

test('who queues commands names code that they have sent or may see, not a file of another project', async () => {
  const grants = [{ project: 'mine', role: 'WRITE' as const, mayQueueCommands: true }];
  const { token } = await issueToken(context, { name: 'queues', role: 'READ', grants });
  const files = 'query ($id: ID!) { artifacts(runId: $id) { name sha256 } }';
  const { artifacts } = await ok(files, { id: theirs.runId });
  const enqueue = 'mutation ($input: EnqueueCommandInput!) { enqueueCommand(input: $input) { id } }';
  const input = { project: 'mine', command: ['cat', 'notes.txt'], code: artifacts[0].sha256 };
  const refused = await api.graphql(enqueue, { input }, bearer(token));
  expect(refused.errors[0]).toMatchObject({ extensions: { code: 'NOT_FOUND', path: 'code' } });

  const archive = gzipSync('an archive');
  const code = createHash('sha256').update(archive).digest('hex');
  const headers = { ...bearer(token), 'x-content-sha256': code };
  expect((await api.fetch('/code', { method: 'PUT', headers, body: archive })).status).toBe(201);
  expect((await ok(enqueue, { input: { ...input, code } }, token)).enqueueCommand).toHaveLength(1);
  const { token: other } = await issueToken(context, { name: 'also', role: 'READ', grants });
  expect((await ok(enqueue, { input: { ...input, code } }, other)).enqueueCommand).toHaveLength(1);
});

test('webhooks tell of what a token for one project registers, and are for admins of the server alone', async () => {
  const { id } = await insertWebhook(context.db, {
    ...{ name: 'all', description: null, url: 'http://127.0.0.1:9/hook', secret: 'hidden', active: true },
    events: ['registered_model.created', 'model_version.created', 'model_version_alias.created'],
  });
  const grants = [{ project: 'mine', role: 'ADMIN' as const }];
  const { token } = await issueToken(context, { name: `admin of mine ${randomUUID()}`, role: 'READ', grants });
  const hooks = await api.fetch('/mlflow/api/2.0/mlflow/webhooks', { headers: bearer(token) });
  expect([hooks.status, JSON.stringify(await hooks.json())]).toEqual([403, expect.not.stringContaining('hook"')]);
  const { createRun: run } = await ok('mutation { createRun(input: { project: "mine" }) { id } }', {}, token);
  await api.fetch(`/artifacts/${run.id}/m`, { method: 'PUT', body: 'm', headers: bearer(token) });
  const input = { name: 'told', runId: run.id, artifactName: 'm', aliases: ['best'] };
  await ok('mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { number } }', { input }, token);
  const messages = await waitUntil('all are refused, since they would go to the inner network', async () => {
    const where = { sourceId: id, state: 'FAILED' as const, problem: { contains: 'inner network' } };
    const found = await context.db.outgoingMessage.findMany({ where });
    return found.length === 3 ? found : null;
  });
  const source = `runs:/${run.id.replaceAll('-', '')}/m`;
  // All are of one moment: they come in any order.
  const byType = new Map(messages.map(({ content }) => [Object(content).type, content]));
  expect(Object.fromEntries(byType)).toMatchObject({
    'registered_model.created': { data: { name: 'told' } },
    'model_version.created': { data: { name: 'told', version: '1', source, tags: {}, description: null } },
    'model_version_alias.created': { data: { name: 'told', alias: 'best', version: '1' } },
  });
});

test('a file that is sent to MLflow in parts brings no more than its project has room for', async () => {
  const { createRun: run } = await ok('mutation { createRun(input: { project: "quota", name: "parts" }) { id } }');
  const quota = async (bytes: number | null) => await changeProjectQuota(context, { project: 'quota', bytes });
  await quota(4_000);
  const { token } = await issueToken(context, { name: 'who sends parts', role: 'WRITE' });
  const place = `1/${run.id.replaceAll('-', '')}/artifacts`;
  const call = async (act: string, body: object) => {
    const sent = { method: 'POST', headers: bearer(token), body: JSON.stringify({ path: 'model.bin', ...body }) };
    return await api.fetch(`/mlflow/api/2.0/mlflow-artifacts/mpu/${act}/${place}`, sent);
  };
  const made: { upload_id: string; credentials: { url: string }[] } = JSON.parse(
    await (await call('create', { num_parts: 3 })).text(),
  );
  const send = async (number: number, body: string) => {
    const { pathname } = new URL(made.credentials[number - 1]!.url);
    return await api.fetch(pathname, { method: 'PUT', body });
  };
  expect((await send(1, 'x'.repeat(2_001))).status).toBe(413);
  const parts = [];
  for (const [index, bytes] of [1_500, 1_500, 900].entries()) {
    const sent = await send(index + 1, 'x'.repeat(bytes));
    parts.push({ part_number: index + 1, etag: sent.headers.get('etag') });
  }
  expect((await call('complete', { upload_id: made.upload_id, parts })).status).toBe(200);
  const file = await api.fetch(`/artifacts/${run.id}/model.bin`, { headers: bearer(token) });
  expect(await file.text()).toBe('x'.repeat(3_900));
  const [ticket = '', ...rest] = made.upload_id.split('.');
  const altered = made.credentials[0]!.url.replace(made.upload_id, [ticket, '9', ...rest.slice(1)].join('.'));
  expect((await api.fetch(new URL(altered).pathname, { method: 'PUT', body: 'x' })).status).toBe(403);
  await quota(null);
});

test('a token that is withdrawn sends no further part of a file, nor does a person who is shut out', async () => {
  const { createRun: run } = await ok('mutation { createRun(input: { project: "quota", name: "withdrawn" }) { id } }');
  const { token } = await issueToken(context, { name: 'soon withdrawn', role: 'WRITE' });
  const place = `1/${run.id.replaceAll('-', '')}/artifacts`;
  const sent = { method: 'POST', headers: bearer(token), body: JSON.stringify({ path: 'model.bin', num_parts: 2 }) };
  const made: { credentials: { url: string }[] } = JSON.parse(
    await (await api.fetch(`/mlflow/api/2.0/mlflow-artifacts/mpu/create/${place}`, sent)).text(),
  );
  const send = async (number: number) =>
    await api.fetch(new URL(made.credentials[number - 1]!.url).pathname, { method: 'PUT', body: 'x' });
  expect((await send(1)).status).toBe(200);
  await revokeToken(context, 'soon withdrawn');
  const refused = await send(2);
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('may do nothing any more')]);
});

test('a token for some projects says what they are about, and cannot rename them: a taken name would tell of others', async () => {
  const grants = [{ project: 'mine', role: 'ADMIN' as const }];
  const { token } = await issueToken(context, { name: 'admin of mine', role: 'READ', grants });
  const edit =
    'mutation ($name: String, $description: String) { editProject(project: "mine", name: $name, description: $description) { description } }';
  expect((await ok(edit, { description: 'new' }, token)).editProject).toEqual({ description: 'new' });
  const { projects } = await ok('{ projects { edges { node { name } } } }', {}, token);
  expect(projects.edges.map(({ node }: { node: { name: string } }) => node.name)).toEqual(['mine']);
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  const place = `${api.url}/mlflow/api/2.0/mlflow/experiments`;
  const { experiments } = await jsonOf(await fetch(`${place}/search?max_results=9`, { headers }));
  const { experiment_id } = experiments.find(({ name }: { name: string }) => name === 'mine');
  for (const name of ['theirs', 'free']) {
    expect((await api.graphql(edit, { name }, bearer(token))).errors[0]?.extensions.code).toBe('FORBIDDEN');
    const body = JSON.stringify({ experiment_id, new_name: name });
    expect((await fetch(`${place}/update`, { method: 'POST', headers, body })).status).toBe(403);
  }
});

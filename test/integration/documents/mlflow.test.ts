import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiForTests, jsonOf } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { mlflowPythons, runWithMlflow } from '../support/mlflowForTests.ts';
import { runShell } from '../support/runShell.ts';

const document = documentForTests('mlflow.md');
const api = await apiForTests();
const here = { 'http://127.0.0.1:4680': api.url };
const blocks = { log: document.take('log', here), curl: document.take('curl', here) };

const [python] = mlflowPythons();

/** An answer as it came over the wire: a test says what it expects to find. */
type Answer = Awaited<ReturnType<typeof jsonOf>>;

async function send(path: string, init: RequestInit): Promise<Answer> {
  return await jsonOf(await api.fetch(`/mlflow/api/2.0/mlflow/${path}`, init));
}
const post = (path: string, body: unknown) =>
  send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const get = (path: string, query: Record<string, string>) => send(`${path}?${new URLSearchParams(query)}`, {});

async function createRun(body: Record<string, unknown> = {}): Promise<string> {
  return (await post('runs/create', { experiment_id: '0', start_time: 1000, ...body })).run.info.run_id;
}

const point = (key: string, value: unknown, step: number, timestamp = 1000) => ({ key, value, step, timestamp });

it('logs from a shell, and Warren filters and groups by it', async () => {
  await runShell(blocks.curl, {});
  const filter = 'config.lr = 0.1 and env.tags.team = "blue" and metric.loss < 1 and status = "SUCCEEDED"';
  const query = 'query ($filter: String!) { runs(filter: $filter) { edges { node { name project { name } } } } }';
  const { runs } = await api.ok(query, { filter });
  expect(runs.edges).toEqual([{ node: { name: 'first', project: { name: 'from a shell' } } }]);
});

it('shows Default to readers without making it', async () => {
  const { experiment } = await get('experiments/get', { experiment_id: '0' });
  expect(experiment).toMatchObject({ name: 'Default', lifecycle_stage: 'active' });
  const { experiments } = await post('experiments/search', { max_results: 10 });
  expect(experiments.map(({ name }: Answer) => name)).toContain('Default');
  expect((await api.ok('{ project(name: "Default") { name } }')).project).toBeNull();
});

it('shows Default as the oldest, and takes a relative place as one of the server', async () => {
  const { experiment_id } = await post('experiments/create', { name: 'placed', artifact_location: 'some/place' });
  const { experiment } = await get('experiments/get', { experiment_id });
  expect(experiment.artifact_location).toBe(resolve('some/place'));
  const { experiments } = await post('experiments/search', { order_by: ['creation_time DESC'], max_results: 100 });
  expect(experiments.at(-1).name).toBe('Default');
});

describe('metrics', () => {
  it('keep several values at a step, steps below 0 and NaN; the newest value is the last one', async () => {
    const run_id = await createRun();
    const metrics = [
      ...[point('m', 11, 3, 1), point('m', 12, 3, 2), point('m', 12, 3, 2), point('m', 5, -2, 9)],
      ...[point('nan', 'NaN', 0), point('inf', '-Infinity', 0)],
    ];
    await post('runs/log-batch', { run_id, metrics });
    await post('runs/log-metric', { run_id, ...point('m', 13, 3, 3) });
    await post('runs/log-metric', { run_id, ...point('m', 10, 3, 1) });
    const { metrics: history } = await get('metrics/get-history', { run_id, metric_key: 'm' });
    expect(history).toEqual([
      ...[point('m', 10, 3, 1), point('m', 11, 3, 1), point('m', 12, 3, 2), point('m', 13, 3, 3)],
      point('m', 5, -2, 9),
    ]);
    const { run } = await get('runs/get', { run_id });
    expect(run.data.metrics).toEqual(
      expect.arrayContaining([
        ...[point('m', 13, 3, 3), point('nan', 'NaN', 0)],
        point('inf', -1.7976931348623157e308, 0),
      ]),
    );
    const { metrics: sampled } = await get('metrics/get-history-bulk-interval', {
      ...{ run_ids: run_id, metric_key: 'm', max_results: '2' },
    });
    expect(sampled.map(({ value }: { value: number }) => value)).toEqual([5, 13]);
  });
});

describe('runs', () => {
  it('reopen after their end, have no lease, and take parameters once', async () => {
    const run_id = await createRun({ run_name: 'again', user_id: 'ada' });
    const write = (value: string) => post('runs/log-parameter', { run_id, key: 'lr', value });
    expect([await write('0.10'), await write('0.10')]).toEqual([{}, {}]);
    expect(await write('0.1')).toMatchObject({
      error_code: 'INVALID_PARAMETER_VALUE',
      message: `Changing param values is not allowed. Param with key='lr' was already logged with value='0.10' for run ID='${run_id}'. Attempted logging new value '0.1'.`,
    });
    await post('runs/update', { run_id, status: 'FINISHED', end_time: 5000 });
    const { run } = await get('runs/get', { run_id });
    expect(run.info).toMatchObject({ status: 'FINISHED', start_time: 1000, end_time: 5000, user_id: 'ada' });
    expect(run.data.params).toEqual([{ key: 'lr', value: '0.10' }]);
    const { run_info } = await post('runs/update', { run_id, status: 'RUNNING', run_name: 'renamed' });
    expect(run_info).toMatchObject({ status: 'RUNNING', run_name: 'renamed', experiment_id: '0' });
    const { run: shown } = await api.ok('query ($id: ID!) { run(id: $id) { name state leaseSeconds seed } }', {
      id: run_id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    });
    expect(shown).toEqual({ name: 'renamed', state: 'RUNNING', leaseSeconds: null, seed: 0 });
  });

  it('are searched page by page with MLflow’s filters, and go to the trash', async () => {
    const { experiment_id } = await post('experiments/create', { name: 'search' });
    const ids: string[] = [];
    for (const [index, loss] of [0.3, Number.NaN, 0.1, null].entries()) {
      const run_id = await createRun({ experiment_id, start_time: 1000 + index, run_name: `r${index}` });
      ids.push(run_id);
      const metrics = loss === null ? [] : [point('loss', Number.isNaN(loss) ? 'NaN' : loss, 0)];
      await post('runs/log-batch', { run_id, metrics, params: [{ key: 'p', value: `v${index % 2}` }] });
    }
    const search = async (filter: string, order_by: string[] = [], more: Record<string, unknown> = {}) => {
      const answer = await post('runs/search', { experiment_ids: [experiment_id], filter, order_by, ...more });
      return answer.runs?.map(({ info }: Answer) => info.run_name) ?? answer;
    };
    expect(await search('')).toEqual(['r3', 'r2', 'r1', 'r0']);
    expect(await search('', ['metrics.loss ASC'])).toEqual(['r2', 'r0', 'r1', 'r3']);
    expect(await search('', ['metrics.`loss` DESC'])).toEqual(['r0', 'r2', 'r1', 'r3']);
    expect(await search("metrics.loss != 0.3 AND params.p LIKE 'v%'")).toEqual(['r2', 'r1']);
    expect(await search("params.p ILIKE 'V1'")).toEqual(['r3', 'r1']);
    expect(await search(`run_id NOT IN ('${ids[0]}', '${ids[1]}') and attributes.start_time < 1003`)).toEqual(['r2']);
    expect(await search('metrics.loss = "x"')).toMatchObject({
      message: 'Expected numeric value type for metric. Found "x"',
    });
    const first = await post('runs/search', { experiment_ids: [experiment_id], max_results: 3 });
    expect(await search('', [], { page_token: first.next_page_token })).toEqual(['r0']);
    await post('runs/delete', { run_id: ids[2] });
    expect(await search('')).toEqual(['r3', 'r1', 'r0']);
    expect(await search('', [], { run_view_type: 'DELETED_ONLY' })).toEqual(['r2']);
    await post('runs/restore', { run_id: ids[2] });
    expect(await search('metrics.loss < 0.2')).toEqual(['r2']);
  });

  it('keep files, streamed through the proxy', async () => {
    const run_id = await createRun();
    const proxy = '/mlflow/api/2.0/mlflow-artifacts/artifacts';
    const bytes = randomBytes(1_000_000);
    const place = `0/${run_id}/artifacts`;
    expect((await api.fetch(`${proxy}/${place}/sub/a b.bin`, { method: 'PUT', body: bytes })).status).toBe(200);
    expect(await get('artifacts/list', { run_id })).toEqual({
      root_uri: `mlflow-artifacts:/${place}`,
      files: [{ path: 'sub', is_dir: true }],
    });
    const listed = await jsonOf(await api.fetch(`${proxy}?path=${place}/sub`));
    expect(listed).toEqual({ files: [{ path: 'a b.bin', is_dir: false, file_size: 1_000_000 }] });
    const back = await api.fetch(`${proxy}/${place}/sub/a%20b.bin`);
    expect(Buffer.from(await back.arrayBuffer()).equals(bytes)).toBe(true);
    const outside = await jsonOf(await api.fetch(`${proxy}/${place}/..%2f..%2fx`));
    expect(outside).toMatchObject({ error_code: 'INVALID_PARAMETER_VALUE', message: 'Invalid path' });
    await api.fetch(`${proxy}/${place}/sub`, { method: 'DELETE' });
    expect(await get('artifacts/list', { run_id })).toEqual({ root_uri: `mlflow-artifacts:/${place}` });
  });
});

/** Parts that wait for their rest. */
const waiting = () => readdirSync(join(api.artifactFolder, 'incoming')).filter((name) => name.startsWith('partial-'));

describe('uploads in parts', () => {
  const mpu = '/mlflow/api/2.0/mlflow-artifacts/mpu';
  const ask = async (act: string, place: string, body: unknown): Promise<Answer> =>
    await jsonOf(await api.fetch(`${mpu}/${act}/${place}`, { method: 'POST', body: JSON.stringify(body) }));
  const path = '/home/someone/a b.bin';
  const begin = async (num_parts: number) => {
    const place = `0/${await createRun()}/artifacts/sub`;
    return { place, ...(await ask('create', place, { path, num_parts })) };
  };
  const put = async (url: string, body: string | Buffer) =>
    (await fetch(url, { method: 'PUT', body })).headers.get('etag');

  it('make a file of parts that come in any order, each checked by its sha256', async () => {
    const { place, upload_id, credentials } = await begin(3);
    expect(credentials.map((one: Answer) => one.part_number)).toEqual([1, 2, 3]);
    const [first, second, third] = [randomBytes(700_000), randomBytes(700_000), randomBytes(5)];
    const etags: (string | null)[] = [];
    for (const [index, bytes] of [
      [2, third],
      [0, Buffer.concat([first, third])],
      [0, first],
      [1, second],
    ] as const) {
      etags[index] = await put(credentials[index].url, bytes); // the first is sent again, and then shorter
    }
    expect(etags[0]).toBe(`"${createHash('sha256').update(first).digest('hex')}"`);
    const parts = etags.map((etag, index) => ({ part_number: index + 1, etag, url: '' }));
    const complete = (sent: unknown, at = place) => ask('complete', at, { path, upload_id, parts: sent });
    const wrong = [
      [await complete(parts.slice(1)), 'parts: expected all 3 in their order, got 2 as number 1'],
      [await complete(parts.slice(0, 2)), 'parts: expected all 3, got 2'],
      [await complete(parts.with(1, { ...parts[0]!, part_number: 2 })), 'parts: number 2 is not what its ETag says'],
      [await complete(parts, place.replace('/sub', '/other')), 'upload_id: this upload is of another file'],
    ];
    for (const [answer, message] of wrong) {
      expect(answer).toMatchObject({ error_code: 'INVALID_PARAMETER_VALUE', message });
    }
    expect(await complete(parts)).toEqual({});
    expect(await complete(parts)).toEqual({}); // the answer was lost
    const back = await api.fetch(`/mlflow/api/2.0/mlflow-artifacts/artifacts/${place}/a%20b.bin`);
    expect(Buffer.from(await back.arrayBuffer()).equals(Buffer.concat([first, second, third]))).toBe(true);
    expect(waiting()).toEqual([]);
  });

  it('leave nothing when they are given up, and take nothing without an address that was given', async () => {
    const { place, upload_id, credentials } = await begin(2);
    const etag = await put(credentials[0].url, 'first');
    const parts = [1, 2].map((part_number) => ({ part_number, etag }));
    expect((await ask('complete', place, { path, upload_id, parts })).message).toBe('parts: number 2 has not come');
    expect(waiting()).toHaveLength(1);
    expect(await ask('abort', place, { path, upload_id })).toEqual({});
    expect(waiting()).toEqual([]);
    const { url } = credentials[0];
    for (const other of [url.replace(/\/1$/, '/3'), url.replace(/.\/1$/, '-/1'), url.replace(/part\/\d/, 'part/9')]) {
      expect((await fetch(other, { method: 'PUT', body: 'x' })).ok).toBe(false);
    }
    expect(waiting()).toEqual([]);
    const { message } = await ask('create', place, { path, num_parts: 0 });
    expect(message).toMatch(/^Multipart upload is not supported for the current artifact repository/); // and sent whole
  });

  it.skipIf(python === undefined)('are what MLflow’s own client does where it is told to', async () => {
    const script = `
import os, tempfile
os.environ.update(MLFLOW_ENABLE_PROXY_MULTIPART_UPLOAD="true", MLFLOW_MULTIPART_UPLOAD_MINIMUM_FILE_SIZE="0", MLFLOW_MULTIPART_UPLOAD_CHUNK_SIZE="300000")
import mlflow, pathlib, requests
sent, put = [], requests.put
requests.put = lambda url, **more: sent.append(url) or put(url, **more)
mlflow.set_tracking_uri("${api.url}/mlflow")
with mlflow.start_run(), tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "ein ä.bin")
    file.write_bytes(os.urandom(2_000_001))
    mlflow.log_artifact(str(file), "deep/er")
    mlflow.log_text("", "empty.txt")
    back = mlflow.artifacts.download_artifacts(run_id=mlflow.active_run().info.run_id, artifact_path="deep/er/ein ä.bin")
    print(len(sent), pathlib.Path(back).read_bytes() == file.read_bytes())
`;
    expect(await runWithMlflow(python!, { script })).toContain('7 True');
    expect(waiting()).toEqual([]);
  });
});

it('keeps models that a run logs, with their files among those of the run', async () => {
  const source_run_id = await createRun();
  const named = { name: 'tree', source_run_id, params: [{ key: 'depth', value: '3' }] };
  const { model } = await post('logged-models', { experiment_id: '0', ...named });
  expect(model.info).toMatchObject({ name: 'tree', status: 'LOGGED_MODEL_PENDING', source_run_id });
  const { model_id, artifact_uri } = model.info;
  expect(artifact_uri).toBe(`mlflow-artifacts:/0/${source_run_id}/artifacts/models/${model_id}`);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ model_id, status: 'LOGGED_MODEL_READY' });
  await send(`logged-models/${model_id}`, { method: 'PATCH', headers, body });
  await post('runs/outputs', { run_id: source_run_id, models: [{ model_id, step: 4 }] });
  const { models } = await post('logged-models/search', { experiment_ids: ['0'], filter: "name = 'tree'" });
  expect(models[0]).toMatchObject({ info: { model_id, status: 'LOGGED_MODEL_READY' }, data: { params: named.params } });
  const second = await post('logged-models', { experiment_id: '0', name: 'tree', source_run_id });
  const page = await post('logged-models/search', { experiment_ids: ['0'], max_results: 1 });
  const { models: rest } = await post('logged-models/search', {
    ...{ experiment_ids: ['0'], max_results: 1, page_token: page.next_page_token },
  });
  expect([...page.models, ...rest].map((one: Answer) => one.info.model_id)).toEqual([
    ...[second.model.info.model_id, model_id],
  ]);
  const { run } = await get('runs/get', { run_id: source_run_id });
  expect(run.outputs).toEqual({ model_outputs: [{ model_id, step: 4 }] });
});

it('serves what MLflow’s pages ask for: files of a run are taken, those of a version given', async () => {
  const run_id = await createRun();
  const place = '/mlflow/ajax-api/2.0/mlflow/upload-artifact';
  const upload = (query: Record<string, string>, body?: string) =>
    api.fetch(`${place}?${new URLSearchParams(query)}`, { method: 'POST', ...(body === undefined ? {} : { body }) });
  const words = [
    [{}, 'Request must specify run_uuid.'],
    [{ run_uuid: run_id }, 'Request must specify path.'],
    [{ run_uuid: run_id, path: '../a.txt' }, 'Invalid path'],
    [{ run_uuid: run_id, path: 'net/a.txt' }, 'Request must specify data.'],
  ] as const;
  for (const [query, message] of words) {
    expect(await jsonOf(await upload(query))).toMatchObject({ error_code: 'INVALID_PARAMETER_VALUE', message });
  }
  expect((await upload({ run_uuid: run_id, path: 'net/a.txt' }, 'first')).status).toBe(200);
  await post('registered-models/create', { name: 'paged' });
  await post('model-versions/create', { name: 'paged', source: `runs:/${run_id}/net`, run_id });
  await upload({ run_uuid: run_id, path: 'net/a.txt' }, 'second');
  const of = (query: Record<string, string>) =>
    api.fetch(`/mlflow/model-versions/get-artifact?${new URLSearchParams({ name: 'paged', version: '1', ...query })}`);
  expect(await (await of({ path: 'a.txt' })).text()).toBe('first');
  expect((await of({ path: 'b.txt' })).status).toBe(404);
  expect(await jsonOf(await of({ path: '../a.txt' }))).toMatchObject({ message: 'Invalid path' });
  // a run of another server
  const elsewhere = { name: 'paged', source: 'runs:/of-another/net' };
  const { model_version } = await post('model-versions/create', { ...elsewhere, run_id: 'of-another' });
  expect(model_version).toMatchObject({ version: '2', source: 'runs:/of-another/net' });
  const { message } = await post('model-versions/create', { ...elsewhere, run_id: 'of-a-third' });
  expect(message).toMatch('The run_id request parameter must identify the resource that contains the source.');
});

it('refuses in MLflow’s words', async () => {
  const run_id = await createRun();
  await api.ok('mutation { createRun(input: { environment: { models: ["resnet"] } }) { id } }');
  const see = 'See the API docs for more information about request parameters.';
  const messages = [
    [await post('runs/set-tag', { run_id, value: 'v' }), `Missing value for required parameter 'key'. ${see}`],
    [
      await post('runs/log-metric', { run_id: 31, ...point('m', 1, 0) }),
      `Invalid value 31 for parameter 'run_id' supplied:  Hint: Value was of type 'int'. ${see}`,
    ],
    [
      await send('experiments/create', { method: 'POST', body: '{"name": "n", "artifact_location": 9.0}' }),
      `Invalid value 9.0 for parameter 'artifact_location' supplied:  Hint: Value was of type 'float'. ${see}`,
    ],
    [await post('runs/delete-tag', { run_id, key: 'k' }), `No tag with name: k in run with id ${run_id}`],
    [await get('runs/get', { run_id: 'x' }), 'Run with id=x not found'],
    [await get('experiments/get', { experiment_id: '99' }), 'No Experiment with id=99 exists'],
    [await post('experiments/create', { name: 'Default' }), 'Experiment(name=Default) already exists.'],
  ];
  for (const [answer, message] of messages) expect(answer.message).toBe(message);
  const huge = '99999999999999999999';
  const refused = [
    ...[
      await post('runs/search', { filter: 'x'.repeat(100_001) }),
      await post('runs/create', { run_name: 'x'.repeat(501) }),
    ],
    await post('runs/search', { filter: Array.from({ length: 101 }, () => 'metrics.x > 1').join(' and ') }),
    await get('metrics/get-history', { run_id, metric_key: 'm', max_results: huge }),
    await get('metrics/get-history-bulk', { run_id, metric_key: 'm', max_results: '-5' }),
  ];
  expect(refused.map(({ error_code: code }) => code)).toEqual(refused.map(() => 'INVALID_PARAMETER_VALUE'));
  expect(await post('experiments/search-datasets', { experiment_ids: [huge] })).toEqual({});
  // one long number is read in a moment
  const digits = await post('runs/search', { filter: `metrics.m > ${'1'.repeat(90_000)}a` });
  expect(digits.error_code).toBe('INVALID_PARAMETER_VALUE');
  expect((await api.fetch('/mlflow/api/2.0/mlflow/workspaces', { method: 'POST' })).status).toBe(404);
  const foreign = await api.fetch('/mlflow/api/2.0/mlflow/runs/delete', {
    ...{ method: 'POST', headers: { origin: 'https://evil.example' }, body: JSON.stringify({ run_id }) },
  });
  expect(foreign.status).toBe(403);
});

it.skipIf(python === undefined)('MLflow’s own client logs and searches as the document shows', async () => {
  const printed = await runWithMlflow(python!, { script: blocks.log });
  expect(printed).toContain("small {'valid/loss': 0.1}");
  expect(printed).toContain(`${api.url}/mlflow/#/experiments/`);
});

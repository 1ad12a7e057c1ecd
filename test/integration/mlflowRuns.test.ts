import { expect, it } from 'vitest';
import { apiForTests, jsonOf } from './support/apiForTests.ts';

const api = await apiForTests();

/** An answer as it came over the wire: a test says what it expects to find. */
type Answer = Awaited<ReturnType<typeof jsonOf>>;

async function send(path: string, init: RequestInit = {}): Promise<Answer> {
  return await jsonOf(await api.fetch(`/mlflow/api/2.0/mlflow/${path}`, init));
}
const post = (path: string, body: unknown) =>
  send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function createRun(): Promise<string> {
  return (await post('runs/create', { experiment_id: '0', run_name: 'one' })).run.info.run_id;
}

async function tagOf(run_id: string, key: string): Promise<string> {
  const { run } = await send(`runs/get?run_id=${run_id}`);
  return run.data.tags.find((tag: Answer) => tag.key === key).value;
}

it('models that clients of MLflow 2 log are noted in a tag of the run, one after the other', async () => {
  const run_id = await createRun();
  const model = { run_id, artifact_path: 'model', utc_time_created: '2024', model_uuid: 'm', mlflow_version: '2.22.0' };
  const flavors = { python_function: { loader_module: 'mlflow.sklearn', config: { a: 1 } }, sklearn: {} };
  const log = (told: object) => post('runs/log-model', { run_id, model_json: JSON.stringify(told) });
  expect(await log({ ...model, flavors })).toEqual({});
  await Promise.all(['second', 'third'].map((artifact_path) => log({ ...model, artifact_path, flavors })));
  const history: Answer[] = JSON.parse(await tagOf(run_id, 'mlflow.log-model.history'));
  // what `Model.get_tags_dict` of MLflow keeps
  const { mlflow_version: _, ...kept } = model;
  const kinds = { python_function: { loader_module: 'mlflow.sklearn' }, sklearn: {} };
  expect(history[0]).toEqual({ ...kept, flavors: kinds });
  expect(history.map(({ artifact_path }) => artifact_path).sort()).toEqual(['model', 'second', 'third']);

  expect(await log(model)).toMatchObject({ message: "Model json is missing mandatory fields: {'flavors'}" });
  expect(await post('runs/log-model', { run_id, model_json: 'x' })).toMatchObject({
    error_code: 'INVALID_PARAMETER_VALUE',
    message: 'Malformed model info. \n x \n is not a valid JSON.',
  });
  await post('runs/set-tag', { run_id, key: 'mlflow.log-model.history', value: '{}' });
  expect((await log({ ...model, flavors })).message).toContain('its text is no list as JSON');
});

it('the newest clients learn what the server can do, also before they have a token', async () => {
  const guarded = await apiForTests({ requireToken: true });
  for (const path of ['api', 'ajax-api']) {
    const answer = await guarded.fetch(`/mlflow/${path}/3.0/mlflow/server-info`);
    expect(answer.status).toBe(200);
    expect(await jsonOf(answer)).toMatchObject({ workspaces_enabled: false, multipart_uploads_enabled: false });
  }
  expect((await guarded.fetch('/mlflow/api/2.0/mlflow/experiments/get?experiment_id=0')).status).toBe(401);
});

it('an empty run name leaves the name that is there', async () => {
  const run_id = await createRun();
  await post('runs/set-tag', { run_id, key: 'mlflow.runName', value: '' });
  expect(await tagOf(run_id, 'mlflow.runName')).toBe('one');
});

it('a history is also read by the run_uuid of old clients', async () => {
  const run_id = await createRun();
  await post('runs/log-metric', { run_id, key: 'loss', value: 0.5, timestamp: 1000, step: 2 });
  const { metrics } = await send(`metrics/get-history?run_uuid=${run_id}&metric_key=loss`);
  expect(metrics).toEqual([{ key: 'loss', value: 0.5, timestamp: 1000, step: 2 }]);
});

it('a dataset with a field that is too long is refused in words of MLflow', async () => {
  const run_id = await createRun();
  const dataset = { name: 'n', digest: 'd'.repeat(37), source_type: 'local', source: 's' };
  expect(await post('runs/log-inputs', { run_id, datasets: [{ dataset }] })).toMatchObject({
    message: "'digest' exceeds the maximum length of 36 characters",
  });
  const { digest: _, ...nameless } = dataset;
  const { message } = await post('runs/log-inputs', { run_id, datasets: [{ dataset: nameless }] });
  expect(message).toContain("'datasets.0.dataset.digest'");
});

it('logged models are found, sorted, used by runs, cleared of tags and deleted', async () => {
  const { experiment_id } = await post('experiments/create', { name: 'models' });
  const run_id = (await post('runs/create', { experiment_id })).run.info.run_id;
  const log = async (name: string, more: object): Promise<string> =>
    (await post('logged-models', { experiment_id, source_run_id: run_id, name, ...more })).model.info.model_id;
  const [a, b] = [
    await log('net a', { tags: [{ key: 'team', value: 'x' }], params: [{ key: 'width', value: '8' }] }),
    await log('net b', { model_type: 'agent' }),
  ];
  const find = async (more: object): Promise<string[]> =>
    ((await post('logged-models/search', { experiment_ids: [experiment_id], ...more })).models ?? []).map(
      ({ info }: Answer) => info.name,
    );
  const byName = [{ field_name: 'name' }];
  expect(await find({ order_by: byName })).toEqual(['net a', 'net b']);
  expect(await find({ order_by: [{ field_name: 'name', ascending: false }] })).toEqual(['net b', 'net a']);
  for (const filter of ["tags.team = 'x'", "params.width LIKE '8%'", "name ILIKE 'NET A'", `model_id = '${a}'`]) {
    expect([filter, await find({ filter })]).toEqual([filter, ['net a']]);
  }
  for (const filter of ["model_type = 'agent'", `source_run_id = '${run_id}' AND name != 'net a'`]) {
    expect([filter, await find({ filter })]).toEqual([filter, ['net b']]);
  }
  expect(
    await find({ filter: 'creation_timestamp > 5 AND status = "LOGGED_MODEL_PENDING"', order_by: byName }),
  ).toHaveLength(2);
  // what another program keeps under that name in its environment is no model, and fails no search
  await api.ok(
    'mutation ($environment: JSON!) { createRun(input: { project: "models", environment: $environment }) { id } }',
    {
      environment: { models: { odd: { name: 'odd', createdMs: 'never', updatedMs: 'never' } } },
    },
  );
  const sorted = { filter: 'last_updated_timestamp > 5', order_by: [{ field_name: 'creation_timestamp' }] };
  expect(await find(sorted)).toHaveLength(2);
  const refused = await post('logged-models/search', { experiment_ids: [experiment_id], filter: 'metrics.auc > 0' });
  expect(refused).toMatchObject({
    error_code: 'INVALID_PARAMETER_VALUE',
    message: expect.stringContaining('search runs'),
  });
  expect((await post('logged-models', { source_run_id: run_id, name: 'a/b' })).message).toContain('Invalid model name');

  await api.fetch(`/mlflow/api/2.0/mlflow-artifacts/artifacts/${experiment_id}/${run_id}/artifacts/models/${a}/in/M`, {
    ...{ method: 'PUT', body: 'x' },
  });
  const { files, root_uri } = await send(`logged-models/${a}/artifacts/directories?artifact_directory_path=in`);
  expect(files).toEqual([{ path: 'in/M', is_dir: false, file_size: 1 }]);
  expect(root_uri).toContain(a);

  const user = (await post('runs/create', { experiment_id })).run.info.run_id;
  for (const model_id of [a, b, a]) await post('runs/log-inputs', { run_id: user, models: [{ model_id }] });
  const { inputs } = (await send(`runs/get?run_id=${user}`)).run;
  expect(inputs).toEqual({ model_inputs: [{ model_id: a }, { model_id: b }] });

  const remove = (path: string) => send(path, { method: 'DELETE' });
  expect(await remove(`logged-models/${a}/tags/team`)).toEqual({});
  expect(await remove(`logged-models/${a}/tags/team`)).toMatchObject({
    message: `No tag with key 'team' found for model with ID '${a}'.`,
  });
  expect(await remove(`logged-models/${a}`)).toEqual({});
  expect(await remove(`logged-models/${a}`)).toMatchObject({ message: `Logged model with ID '${a}' not found.` });
  expect(await send(`logged-models/${a}`)).toMatchObject({ error_code: 'RESOURCE_DOES_NOT_EXIST' });
  expect(await find({})).toEqual(['net b']);
  expect(await log('again', {})).not.toBe(a);
});

import { describe, expect, it } from 'vitest';
import { apiForTests, jsonOf } from './support/apiForTests.ts';
import { mlflowPythons, runWithMlflow, startMlflowServer } from './support/mlflowForTests.ts';
import { askEverything } from './support/mlflowRequests.ts';

const pythons = mlflowPythons();
const [newest] = pythons;
const theirs = newest === undefined ? null : await startMlflowServer(newest);
const api =
  theirs === null
    ? null
    : await apiForTests({
        outgoing: { allowedNetworks: ['127.0.0.0/8'], mail: null, publicUrl: null },
      });

/** An answer as it came over the wire: a test says what it expects to find. */
type Answer = Awaited<ReturnType<typeof jsonOf>>;

const point = (key: string, value: unknown, step: number, timestamp: number) => ({ key, value, step, timestamp });

/** Filters and orders that MLflow's server and Warren must answer alike. */
const SEARCHES: { filter?: string; order_by?: string[] }[] = [
  ...[
    ...[
      'metrics.loss < 0.5',
      "metrics.loss >= 0.25 and params.lr != '0.00'",
      'metrics.loss != 0.5',
      'metrics.loss = 0.5',
    ],
    ...['metrics.`a/b c` > 3.5', 'metrics."a/b c" <= 1e1', "params.lr LIKE '0.%'", "params.Name ILIKE 'zO%'"],
    ...["params.Name = 'Zoë%_x'", 'params.Name IS NULL', "params.Name is not null AND tags.team = 'b'"],
    ...["tags.`odd key` = ''", "tags.team != 'a'", "tags.nothere != 'a'", "attributes.status = 'FINISHED'"],
    ...[
      "status != 'RUNNING'",
      "run_name LIKE 'Run _'",
      "attributes.`run name` = 'Run 3'",
      "tags.mlflow.runName = 'Run 2'",
    ],
    ...['start_time > 1001', 'attribute.end_time < 9000', "user_id = 'u1' and start_time <= 1002", 'created > 1000'],
    ...['metrics.loss < 1 OR metrics.loss > 2', "metrics.loss = 'a'", 'tags.team = b', "params.lr = '0.10' AND"],
  ].map((filter) => ({ filter })),
  ...[
    ...[['metrics.loss ASC'], ['metrics.loss DESC'], ['params.Name ASC', 'start_time ASC'], ['tags.`odd key` DESC']],
    ...[['attributes.end_time ASC'], ['end_time DESC'], ['run_name'], ['status desc', 'user_id asc'], ['a b c']],
  ].map((order_by) => ({ order_by })),
];

/** Makes the same runs at a server of MLflow's protocol, and what it answers to the searches without ids and places. */
async function searchEverything(url: string): Promise<unknown[]> {
  const call = async (path: string, body: unknown): Promise<Answer> =>
    await jsonOf(
      await fetch(`${url}/api/2.0/mlflow/${path}`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      }),
    );
  const { experiment_id } = await call('experiments/create', { name: 'compared' });
  for (const [index, loss] of [0.5, 'NaN', 0.25, 'Infinity', -1, 0, null, 3e-7].entries()) {
    const tags = [{ key: 'team', value: 'ab'[index % 2] }, ...(index === 3 ? [{ key: 'odd key', value: '' }] : [])];
    const named = { run_name: `Run ${index}`, user_id: `u${index % 3}`, start_time: 1000 + index };
    const run_id = (await call('runs/create', { experiment_id, ...named, tags })).run.info.run_id;
    const params = [
      { key: 'lr', value: `0.${index}0` },
      ...(index % 2 === 0 ? [] : [{ key: 'Name', value: 'Zoë%_x' }]),
    ];
    const metrics = [point('a/b c', index, -index, 7), point('a/b c', index + 10, -index, 6)];
    if (loss !== null) metrics.push(point('loss', loss, 1, 1000));
    await call('runs/log-batch', { run_id, metrics, params });
    if (index % 4 === 1) await call('runs/update', { run_id, status: 'FINISHED', end_time: 9000 + index });
    if (index === 4) await call('runs/update', { run_id, status: 'KILLED', end_time: 8000 });
  }
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
  const answers: unknown[] = [];
  for (const search of SEARCHES) {
    const answer = await call('runs/search', { experiment_ids: [experiment_id], ...search });
    answers.push([
      search,
      answer.message ?? null,
      (answer.runs ?? []).map(({ info, data }: Answer) => [
        { ...info, run_id: '', run_uuid: '', experiment_id: '', artifact_uri: '' },
        ...[data.metrics, data.params, data.tags].map((list) => (list ?? []).sort(byKey)),
      ]),
    ]);
  }
  return answers;
}

/** The descriptions of a model and a version as they are told: never given, given, taken away. */
async function askDescriptions(url: string): Promise<unknown> {
  const call = async (method: string, path: string, body: unknown): Promise<Answer> =>
    await jsonOf(
      await fetch(`${url}/api/2.0/mlflow/${path}`, {
        ...{ method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      }),
    );
  const told: unknown[] = [];
  const tell = ({ registered_model: model, model_version: version }: Answer): void => {
    const entry = model ?? version;
    told.push(Object.hasOwn(entry, 'description') ? entry.description : 'absent');
  };
  const [model, version] = [{ name: 'described' }, { name: 'described', version: '1' }];
  tell(await call('POST', 'registered-models/create', model));
  for (const description of ['it', '']) {
    tell(await call('PATCH', 'registered-models/update', { ...model, description }));
  }
  tell(await call('POST', 'model-versions/create', { ...model, source: 's3://bucket/it' }));
  for (const description of ['one', '']) {
    tell(await call('PATCH', 'model-versions/update', { ...version, description }));
  }
  return told;
}

describe.skipIf(api === null)('beside MLflow’s own server', { timeout: 240_000 }, () => {
  it.concurrent.each(pythons)('its client gets the same answers: %s', async (python) => {
    await theirs!.ready();
    const printed = await runWithMlflow(python, { file: 'tour.py' }, [`${api!.url}/mlflow`, theirs!.url]);
    const [ours, expected] = JSON.parse(printed.trimEnd().split('\n').at(-1)!);
    expect(expected.length).toBeGreaterThan(40);
    expect(ours).toEqual(expected);
  });

  it.concurrent.each(pythons)('its client gets the same answers of the model registry: %s', async (python) => {
    await theirs!.ready();
    const printed = await runWithMlflow(python, { file: 'registry.py' }, [`${api!.url}/mlflow`, theirs!.url]);
    const [ours, expected] = JSON.parse(printed.trimEnd().split('\n').at(-1)!);
    expect(expected.length).toBeGreaterThan(40);
    expect(ours).toEqual(expected);
  });

  it.concurrent('requests that no client of Python sends are answered alike', async () => {
    await theirs!.ready();
    expect(await askEverything(`${api!.url}/mlflow`)).toEqual(await askEverything(theirs!.url));
  });

  it.concurrent('a description that was never given, or taken away, is told alike', async () => {
    await theirs!.ready();
    expect(await askDescriptions(`${api!.url}/mlflow`)).toEqual(await askDescriptions(theirs!.url));
  });

  it.concurrent('searches are answered alike, field by field', async () => {
    await theirs!.ready();
    expect(await searchEverything(`${api!.url}/mlflow`)).toEqual(await searchEverything(theirs!.url));
  });
});

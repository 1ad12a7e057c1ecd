import { jsonOf } from './apiForTests.ts';

/** A request below `/api/2.0/mlflow/`, or at a place of its own where that begins with `/`. */
type Asked = readonly [method: string, path: string, body?: object];

const search = (area: string, more: object): Asked => ['POST', `${area}/search`, { max_results: 100, ...more }];
const run = { run_id: '{run}' };
const experiment = { experiment_ids: ['{experiment}'] };
const unknown = '0123456789abcdef'.repeat(2);
const own = "name LIKE 'raw %'";

/** Requests whose answers must be the same as those of MLflow’s own server, one after the other. */
const REQUESTS: readonly Asked[] = [
  ['GET', '/version'],
  ['GET', '/health'],
  ['POST', 'experiments/create', { name: 'raw one', tags: [{ key: 'team', value: 'a' }] }],
  ['GET', 'experiments/get?experiment_id={experiment}'],
  ...[{}, { name: '' }, { name: 3 }, { name: ['a'] }, { name: 'x'.repeat(501) }, { name: 'raw #', tags: 'x' }].map(
    (body): Asked => ['POST', 'experiments/create', body],
  ),
  ['POST', 'experiments/create', { name: 'raw two', artifact_location: 's3://bucket/a#b' }],
  ...['', 'x', '999999', '-1'].flatMap((experiment_id): Asked[] => [
    ['GET', `experiments/get?experiment_id=${experiment_id}`],
    ['POST', 'experiments/delete', { experiment_id }],
    ['POST', 'experiments/update', { experiment_id, new_name: 'raw z' }],
  ]),
  ...[
    ...[own, `${own} AND tags.team != 'b'`, `${own} AND tags.team IS NOT NULL`, "attribute.name = 'raw one'"],
    ...[
      "name ILIKE 'RAW%'",
      "name = 'a' OR name = 'b'",
      'name',
      "(name = 'a')",
      "name IN ('a')",
      'creation_time = "x"',
    ],
    ...['name IS NULL', "x.y = 'a'", "experiment_id > '1'", "attributes.name = 'a'", 'name = `raw one`'],
  ].map((filter) => search('experiments', { filter })),
  ...[['tags.team'], ['name foo'], ['x y z']].map((order_by) => search('experiments', { filter: own, order_by })),
  ['POST', 'runs/create', { experiment_id: '{experiment}', run_name: 'r', start_time: 7, user_id: 'u' }],
  ['POST', 'runs/log-batch', { ...run, metrics: [{ key: 'loss', value: 0.5, timestamp: 3, step: -2 }] }],
  ['POST', 'runs/log-parameter', { ...run, key: 'lr', value: '0.1' }],
  ['GET', 'runs/get?run_id={run}'],
  ...[
    { key: 'a$', value: 1, timestamp: 1 },
    { key: 'a', value: 'x', timestamp: 1 },
    { key: 'a', value: 1 },
  ].map((body): Asked => ['POST', 'runs/log-metric', { ...run, ...body }]),
  ['POST', 'runs/log-parameter', { ...run, key: 'lr', value: '0.2' }],
  ['POST', 'runs/delete-tag', { ...run, key: 'none' }],
  ['POST', 'runs/set-tag', { run_id: unknown, key: 'a', value: 'b' }],
  ['POST', 'runs/outputs', { run_id: unknown, models: [{ model_id: 'm-x', step: 0 }] }],
  ...[
    ...["metrics.'loss' = 0.5", "params.'lr' = '0.1'", 'params."lr" = "0.1"', `"run name" = 'r'`, "`run name` = 'r'"],
    ...["'run name' = 'r'", 'metrics.loss > ', 'run_id IN ()', 'attributes.start_time = 7', 'start_time > "1"'],
  ].map((filter) => search('runs', { ...experiment, filter })),
  ...[["params.'lr' DESC"], ['metrics.`loss`'], ['']].map((order_by) => search('runs', { ...experiment, order_by })),
  ...['order_by', 'filter'].map((name) => search('runs', { ...experiment, [name]: 5 })),
  ['GET', '/ajax-api/2.0/mlflow/metrics/get-history-bulk?run_id={run}&metric_key=loss'],
  ['GET', '/ajax-api/2.0/mlflow/metrics/get-history-bulk-interval?run_ids={run}&metric_key=loss'],
  ['GET', '/ajax-api/2.0/mlflow/metrics/get-history-bulk-interval?run_ids={run}&metric_key=loss&start_step=3'],
  ['GET', 'artifacts/list?run_id={run}'],
  ['GET', 'artifacts/list?run_id={run}&path=..%2Fx'],
  ['GET', `artifacts/list?run_id=${unknown}`],
  ['PUT', '/api/2.0/mlflow-artifacts/artifacts/..%2Fx'],
  ['GET', 'registered-models/get?name=none'],
  ['GET', 'registered-models/get-latest-versions?name=none&stages=Production'],
  ['GET', `registered-models/search?filter=${encodeURIComponent('name IN ()')}`],
  ['GET', `registered-models/search?filter=${encodeURIComponent("name = 'a' OR name = 'b'")}`],
  ['GET', `model-versions/search?filter=${encodeURIComponent("x = 'a'")}`],
];

/** Fields that name what only one server has. */
const PLACES = new Set(['experiment_id', 'run_id', 'run_uuid', 'artifact_uri', 'artifact_location', 'root_uri']);

/** An answer with ids, places and times of today left out. */
function plain(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, plain(inside, name)]));
  }
  if (typeof value === 'number' && value > 1e12) return 'now';
  // a set of Python has no order
  if (typeof value === 'string' && key === 'message')
    return value.replace(/\{'.*'\}/, '{…}').replace(/ (run ID=|id )'?[0-9a-f]{32}/, ' $1…');
  return PLACES.has(key) ? '' : value;
}

/** What a server of MLflow's protocol answers to the requests: each with status, kind of content and fields. */
export async function askEverything(url: string): Promise<unknown[]> {
  const known: Record<string, string> = {};
  const filled = (text: string) => text.replaceAll(/\{(run|experiment)\}/g, (_, name: string) => known[name] ?? '');
  const answers: unknown[] = [];
  for (const [method, path, body] of REQUESTS) {
    const response = await fetch(`${url}${path.startsWith('/') ? '' : '/api/2.0/mlflow/'}${filled(path)}`, {
      ...{ method, headers: { 'content-type': 'application/json' } },
      ...(body === undefined ? {} : { body: filled(JSON.stringify(body)) }),
    });
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const answer = isJson ? await jsonOf(response) : await response.text();
    if (isJson) {
      known.experiment ??= answer.experiment_id;
      known.run ??= answer.run?.info.run_id;
    }
    answers.push([[method, path, body], response.status, isJson, plain(answer)]);
  }
  return answers;
}

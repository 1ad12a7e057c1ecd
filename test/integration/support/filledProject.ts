import { createHash, randomUUID } from 'node:crypto';
import { putUser } from '#src/people/store/appUser.ts';
import { createProject } from '#src/projects/createProject.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import type { GraphqlAnswer, TestApi } from './apiForTests.ts';

/** What a request may name of a project: an id, a name, a number or a cursor of one thing in it. */
export interface Things {
  project: string;
  /** As MLflow calls it. */
  experiment: string;
  /** In all that the project holds. */
  mark: string;
  run: string;
  runNumber: string;
  otherRun: string;
  /** External, ended. */
  endedRun: string;
  /** Of item-knn, on the queue. */
  queuedRun: string;
  otherQueuedRun: string;
  commandRun: string;
  trashedRun: string;
  sweep: string;
  agentSweep: string;
  decision: string;
  view: string;
  report: string;
  trashedReport: string;
  rule: string;
  alert: number;
  entry: string;
  /** `NAME:1`. */
  version: string;
  alias: string;
  link: string;
  token: string;
  user: string;
  configuration: string;
  group: string;
  metric: string;
  media: string;
  sha256: string;
  runsCursor: string;
  projectsCursor: string;
  logCursor: string;
  entriesCursor: string;
  webhook: string;
}

export interface FillingOptions {
  api: TestApi;
  context: ServiceContext;
  /** The data of an operation that must succeed, as somebody who may do everything. */
  ok(query: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer['data']>;
  /** Headers of that caller. */
  headers: Record<string, string>;
}

const LEASE_SECONDS = 86_400; // they outlive a test of 10,000 requests
const SMALL = { kind: 'item-knn', dataset: 'generated/markov-small' };

/** Makes one of everything in a project, with the word `mark` in all of it, and answers what to name. */
export async function filledProject(
  { api, context, ok, headers }: FillingOptions,
  { project, mark }: Pick<Things, 'project' | 'mark'>,
): Promise<Things> {
  const id = randomUUID().slice(0, 8);
  const name = `${mark} ${id}`;
  if ((await context.db.project.count({ where: { name: project } })) === 0)
    await createProject(context, { name: project, description: mark });

  const run = async (input: object = {}) =>
    (
      await ok('mutation ($input: CreateRunInput!) { createRun(input: $input) { id number configuration { hash } } }', {
        input: {
          ...{ project, name, tags: [mark], notes: mark, leaseSeconds: LEASE_SECONDS, datasetName: mark, user: mark },
          ...{ parameters: { [mark]: id }, environment: { device: mark }, ...input },
        },
      })
    ).createRun;
  const [first, other, ended, trashed] = [await run(), await run({ seed: 2 }), await run(), await run()];
  for (const one of [first, other, ended]) {
    await ok(
      `mutation ($id: ID!, $series: [MetricPointsInput!]!, $lines: [LogLineInput!]!, $definitions: [MetricDefinitionInput!]!) {
        logMetrics(runId: $id, series: $series, repeated: true) logLines(runId: $id, from: 0, lines: $lines)
        defineMetrics(runId: $id, definitions: $definitions) }`,
      {
        id: one.id,
        series: [{ name: `${mark}/loss`, steps: [0, 1, 2], values: [0.123456789, 2, 3] }],
        lines: [{ level: 'info', text: mark }, { text: mark }],
        definitions: [{ name: `${mark}/loss`, goal: 'minimize', stepMetric: `${mark}/epoch` }],
      },
    );
  }
  const put = async (path: string, body: string) => {
    const answer = await api.fetch(path, {
      method: 'PUT',
      body,
      headers: { ...headers, 'content-type': 'text/plain' },
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  const text = `${mark} file ${id}`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  await put(`/artifacts/${first.id}/notes.txt`, text);
  await put(`/artifacts/${first.id}/media/${sha256}`, text);
  await ok('mutation ($id: ID!, $items: [MediaInput!]!) { logMedia(runId: $id, items: $items) }', {
    id: first.id,
    items: [{ name: `${mark}/text`, step: 0, kind: 'text', sha256, caption: mark, metadata: { [mark]: mark } }],
  });
  await ok(
    `mutation ($id: ID!, $ended: ID!, $alert: ID!, $mark: String!) {
      raiseAlert(runId: $id, alertId: $alert, title: $mark, text: $mark)
      finishRun(runId: $ended, state: FAILED, errorMessage: $mark) { id } }`,
    { id: first.id, ended: ended.id, alert: randomUUID(), mark },
  );
  const entry = `${mark}-${id}`;
  const alias = `${mark}-${id}`;
  await ok(
    `mutation ($input: RegisterVersionInput!, $id: ID!, $version: String!) {
      registerVersion(input: $input) { id } useRegistryVersion(runId: $id, version: $version) { id }
      forkRun(runId: $id, step: 1) { id } }`,
    {
      ...{ id: other.id, version: `${entry}:1` },
      input: {
        ...{ name: entry, runId: first.id, artifactName: 'notes.txt', aliases: [alias], description: mark },
        tags: [{ key: mark, value: mark }],
      },
    },
  );
  const queued = await ok(
    `mutation ($a: EnqueueRunsInput!, $b: EnqueueRunsInput!, $c: EnqueueCommandInput!) {
      a: enqueueRuns(input: $a) { id } b: enqueueRuns(input: $b) { id } c: enqueueCommand(input: $c) { id } }`,
    {
      a: { project, ...SMALL, name, tags: [mark], parameters: { neighbours: 10 }, key: `a ${name}` },
      b: { project, ...SMALL, name, tags: [mark], parameters: { neighbours: 20 }, key: `b ${name}` },
      c: { project, name, command: [mark], tags: [mark], labels: [mark] },
    },
  );
  const metric = { name: 'valid/ndcg@10', goal: 'maximize' };
  const uniform = { distribution: 'uniform', min: 0, max: 100 };
  const sweepOf = async (file: object) =>
    (
      await ok(
        'mutation ($file: JSON!, $project: String!, $name: String!) { createSweep(input: { file: $file, project: $project, name: $name }) { sweep { id } } }',
        { file: { metric, tags: [mark], ...file }, project, name },
      )
    ).createSweep.sweep.id;
  const sweep = await sweepOf({ ...SMALL, method: 'sobol', run_cap: 1, parameters: { shrinkage: uniform } });
  const agentSweep = await sweepOf({ kind: 'external', method: 'sobol', run_cap: 20, parameters: { [mark]: uniform } });
  const trial = randomUUID();
  await ok(
    'mutation ($input: TakeTrialInput!, $trial: ID!) { takeTrial(input: $input) { trial } finishRun(runId: $trial) { id } }',
    { input: { sweep: agentSweep, runId: trial, user: mark }, trial },
  );
  const made = await ok(
    `mutation ($decide: DecideInput!, $view: SaveViewInput!, $report: SaveReportInput!, $gone: SaveReportInput!, $rule: SaveAlertRuleInput!) {
      decideComparison(input: $decide) { id } saveView(input: $view) { id number }
      report: saveReport(input: $report) { id number } gone: saveReport(input: $gone) { id }
      saveAlertRule(input: $rule) { rule { id } } }`,
    {
      decide: { a: queued.a[0].id, b: queued.b[0].id, metric: metric.name, atMost: 10, project },
      view: { project, name, settings: { filter: `tag = ${mark}`, columns: [{ name: `parameter.${mark}` }] } },
      report: {
        ...{ project, title: name },
        text: `${mark}: [[run ${first.number}]]\n\n\`\`\`warren-table\nruns: ${first.number}\nmetrics: ${mark}/loss\n\`\`\``,
      },
      gone: { project, title: name, text: mark },
      rule: {
        project,
        name,
        condition: { trigger: 'METRIC_VALUE', metric: mark, above: 1e9 },
        filter: `tag = ${mark}`,
      },
    },
  );
  const rule = made.saveAlertRule.rule.id;
  const tested = await ok('mutation ($id: ID!) { testAlertRule(id: $id) { number } }', { id: rule });
  const shared = await ok(
    `mutation ($link: ShareLinkInput!, $run: ID!, $report: ID!) {
      createShareLink(input: $link) { link { id } } deleteRuns(ids: [$run]) { done } deleteReport(id: $report) { id } }`,
    { link: { runs: [first.id], title: mark }, run: trashed.id, report: made.gone.id },
  );
  const grants = [{ project, role: 'READ' as const }];
  await issueToken(context, { name, role: 'READ', grants });
  const email = `${mark}-${id}@example.org`;
  const person = await putUser(context.db, {
    issuer: 'https://login.example',
    subject: email,
    email,
    emailVerified: true,
    name,
    role: null,
  });
  const { id: projectId, number: experiment } = await context.db.project.findUniqueOrThrow({
    where: { name: project },
  });
  await context.db.accessGrant.create({ data: { id: randomUUID(), userId: person.id, projectId, role: 'READ' } });
  await dataset({ api, headers }, { run: first.id.replaceAll('-', ''), mark });
  const webhook = await webhookOf({ api, headers }, { entry, mark });

  const seen = await ok(
    `query ($project: String!, $id: ID!) { projects(first: 1) { pageInfo { endCursor } } runs(project: $project, first: 1) { pageInfo { endCursor } }
      logs(runId: $id, first: 1) { cursor } registryEntries(project: $project, first: 1) { pageInfo { endCursor } }
      runGroups(project: $project, groupBy: ["configuration"], first: 1) { edges { node { id } } } }`,
    { project, id: first.id },
  );
  return {
    experiment: String(experiment),
    ...{ project, mark, run: first.id, runNumber: String(first.number), otherRun: other.id, endedRun: ended.id },
    ...{ queuedRun: queued.a[0].id, otherQueuedRun: queued.b[0].id, commandRun: queued.c[0].id },
    ...{ trashedRun: trashed.id, sweep, agentSweep, decision: made.decideComparison.id, view: made.saveView.id },
    ...{ report: made.report.id, trashedReport: made.gone.id, rule, alert: tested.testAlertRule.number },
    ...{ entry, version: `${entry}:1`, alias, link: shared.createShareLink.link.id, token: name, user: email },
    ...{ configuration: first.configuration.hash, group: seen.runGroups.edges[0].node.id, sha256, webhook },
    ...{ metric: `${mark}/loss`, media: `${mark}/text`, runsCursor: seen.runs.pageInfo.endCursor },
    ...{
      projectsCursor: seen.projects.pageInfo.endCursor,
      logCursor: seen.logs.cursor,
      entriesCursor: seen.registryEntries.pageInfo.endCursor,
    },
  };
}

type Caller = Pick<FillingOptions, 'api' | 'headers'>;

async function mlflow({ api, headers }: Caller, place: string, body: object) {
  const answer = await api.fetch(`/mlflow/api/2.0/mlflow/${place}`, {
    ...{ method: 'POST', body: JSON.stringify(body) },
    headers: { ...headers, 'content-type': 'application/json' },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${place}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** What MLflow's clients say a run has read, and a model that they log with it. */
async function dataset(caller: Caller, { run, mark }: { run: string; mark: string }): Promise<void> {
  const one = { name: mark, digest: mark.slice(0, 30), source_type: mark, source: mark, schema: mark, profile: mark };
  const datasets = [{ dataset: one, tags: [{ key: 'mlflow.data.context', value: mark }] }];
  await mlflow(caller, 'runs/log-inputs', { run_id: run, datasets });
  await mlflow(caller, 'runs/set-tag', { run_id: run, key: `${mark}.x`, value: mark });
}

async function webhookOf(caller: Caller, { entry, mark }: { entry: string; mark: string }): Promise<string> {
  const events = [{ entity: 'MODEL_VERSION', action: 'CREATED' }];
  const hook = { name: `${mark}-${entry}`, description: mark, url: `https://example.org/${mark}`, events };
  return (await mlflow(caller, 'webhooks', { ...hook, status: 'DISABLED' })).webhook.webhook_id;
}

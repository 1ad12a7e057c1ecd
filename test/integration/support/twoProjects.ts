import { expect } from 'vitest';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { createProject } from '#src/projects/createProject.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { servicesForTests } from '../services/support.ts';
import { apiForTests, type GraphqlAnswer, type TestApi } from './apiForTests.ts';
import { postgresForTests } from './postgresForTests.ts';

/** In everything that the project `theirs` holds, and in no request. */
export const SECRET = 'zqxsecret';

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export interface FilledProject {
  targets: {
    /** Ids and numbers. */
    runs: readonly string[];
    /** An id and its number. */
    sweeps: readonly string[];
    reports: readonly string[];
  };
  runId: string;
}

export interface TwoProjects {
  api: TestApi;
  context: Awaited<ReturnType<typeof servicesForTests>>;
  /** The data of an operation that must succeed, as an admin where no token is given. */
  ok(query: string, variables?: Record<string, unknown>, token?: string): Promise<GraphqlAnswer['data']>;
  mine: FilledProject;
  theirs: FilledProject;
  /** Of the rows of the project `theirs`: another one after any change of them. */
  fingerprint(): Promise<string>;
}

/** An API that asks for tokens, with one of everything in each of the projects `mine` and `theirs`. Use at the top of a file. */
export async function twoProjectsForTests(): Promise<TwoProjects> {
  const postgres = await postgresForTests();
  const context = await servicesForTests(postgres.url);
  const api = await apiForTests({ postgres, requireToken: true });
  const admin = (await issueToken(context, { name: 'admin', role: 'ADMIN' })).token;

  async function ok(query: string, variables: Record<string, unknown> = {}, token = admin) {
    const { data, errors } = await api.graphql(query, variables, bearer(token));
    if (errors.length > 0) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    return data;
  }

  /** Fills a project with one of everything, marked with a word. */
  async function filled(project: string, mark: string): Promise<FilledProject> {
    await createProject(context, { name: project, description: mark });
    const create = `mutation ($input: CreateRunInput!) { createRun(input: $input) { id number configuration { hash } } }`;
    const made = [];
    for (const seed of [1, 2]) {
      // they outlive a test of 10,000 requests
      const leaseSeconds = 86_400;
      const input = {
        project,
        name: `${mark} run`,
        seed,
        parameters: { [mark]: mark, same: seed },
        tags: [mark],
        leaseSeconds,
      };
      const { createRun: run } = await ok(create, { input });
      made.push(run);
      await ok('mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }', {
        id: run.id,
        series: [{ name: `${mark}/loss`, steps: [0, 1, 2], values: [0.123456789, 2, 3] }],
      });
      const lines = [{ level: 'info', text: mark }];
      await ok('mutation ($id: ID!, $lines: [LogLineInput!]!) { logLines(runId: $id, from: 0, lines: $lines) }', {
        ...{ id: run.id, lines },
      });
      const put = { method: 'PUT', body: mark, headers: bearer(admin) };
      expect((await api.fetch(`/artifacts/${run.id}/notes.txt`, put)).status).toBe(201);
      await ok('mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }', {
        input: { id: run.id, notes: mark },
      });
    }
    await ok('mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { id } }', {
      input: {
        name: `${mark}-model`,
        runId: made[0].id,
        artifactName: 'notes.txt',
        aliases: [mark],
        description: mark,
      },
    });
    const file = {
      ...{ kind: 'item-knn', dataset: 'generated/markov-small', method: 'sobol', run_cap: 1, tags: [mark] },
      parameters: { shrinkage: { distribution: 'uniform', min: 0, max: 100 } },
      metric: { name: 'valid/ndcg@10', goal: 'maximize' },
    };
    const { createSweep } = await ok(
      'mutation ($file: JSON!, $project: String!, $name: String!) { createSweep(input: { file: $file, project: $project, name: $name }) { sweep { id number } } }',
      { file, project, name: mark },
    );
    await ok(
      'mutation ($project: String!, $name: String!) { saveView(input: { project: $project, name: $name }) { id number } }',
      { project, name: mark },
    );
    const { saveReport: report } = await ok(
      'mutation ($input: SaveReportInput!) { saveReport(input: $input) { id number } }',
      { input: { project, title: mark, text: `${mark}: [[run ${made[0].number}]]` } },
    );
    const { enqueueRuns: queued } = await ok(
      `mutation ($project: String!, $mark: String!) { a: enqueueRuns(input: { project: $project, kind: "item-knn", dataset: "generated/markov-small", name: $mark, parameters: { neighbours: 10 } }) { id } enqueueRuns(input: { project: $project, kind: "item-knn", dataset: "generated/markov-small", name: $mark, parameters: { neighbours: 20 } }) { id } }`,
      { project, mark },
    );
    const numbers = made.flatMap(({ id, number }: { id: string; number: number }) => [id, String(number)]);
    return {
      runId: made[0].id,
      targets: {
        runs: [...numbers, queued[0].id],
        sweeps: [createSweep.sweep.id, String(createSweep.sweep.number)],
        reports: [report.id, String(report.number)],
      },
    };
  }

  /** Rows of the other project, told apart by any change of one. */
  async function fingerprint(): Promise<string> {
    const client = await connectPostgres(postgres.url, { applicationName: 'warren tests' });
    try {
      const { rows } = await client.query(
        `SELECT md5(string_agg(part, ',' ORDER BY part)) AS all FROM (
          SELECT (to_jsonb(run) - 'lease_expires_at')::text AS part FROM run JOIN project ON project.id = project_id WHERE project.name = 'theirs'
          UNION ALL SELECT to_jsonb(sweep)::text FROM sweep JOIN project ON project.id = project_id WHERE project.name = 'theirs'
          UNION ALL SELECT to_jsonb(run_view)::text FROM run_view JOIN project ON project.id = project_id WHERE project.name = 'theirs'
          UNION ALL SELECT to_jsonb(report)::text FROM report JOIN project ON project.id = project_id WHERE project.name = 'theirs'
          UNION ALL SELECT to_jsonb(version)::text FROM report_version version JOIN report ON report.id = report_id JOIN project ON project.id = project_id WHERE project.name = 'theirs'
          UNION ALL SELECT to_jsonb(artifact)::text FROM artifact JOIN run ON run.id = run_id JOIN project ON project.id = project_id WHERE project.name = 'theirs'
          UNION ALL SELECT count(*)::text FROM log_line JOIN run ON run.id = run_id JOIN project ON project.id = project_id WHERE project.name = 'theirs'
          UNION ALL SELECT coalesce(sum(point_count), 0)::text FROM metric_series JOIN run ON run.id = run_id JOIN project ON project.id = project_id WHERE project.name = 'theirs'
          UNION ALL SELECT to_jsonb(entry)::text FROM registry_entry entry WHERE name = '${SECRET}-model'
          UNION ALL SELECT to_jsonb(alias)::text FROM registry_alias alias WHERE name = '${SECRET}'
          UNION ALL SELECT to_jsonb(version)::text FROM registry_version version JOIN run ON run.id = run_id JOIN project ON project.id = project_id WHERE project.name = 'theirs'
          UNION ALL SELECT to_jsonb(project)::text FROM project WHERE name = 'theirs') rows`,
      );
      return rows[0].all;
    } finally {
      await client.end();
    }
  }

  const mine = await filled('mine', 'ownmark');
  const theirs = await filled('theirs', SECRET);
  return { api, context, ok, mine, theirs, fingerprint };
}

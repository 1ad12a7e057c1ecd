import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeStream } from '#src/base/platform/files/nodeStream.ts';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { looseNumber } from './looseNumbers.ts';
import type { MlflowOptions } from './mlflowArtifacts.ts';
import { tellLeftOut } from './mlflowLeftOut.ts';
import { mlflowFacts, mlflowId, mlflowValue } from './mlflowRun.ts';
import type { SourceItem, SourceRuns } from './source.ts';

const RUNS_AT_ONCE = 500;
const POINTS_AT_ONCE = 20_000;

const token = z.string().optional();
const integer = z.union([z.number(), z.string().transform(Number)]);
const experimentsAnswer = z.object({
  experiments: z.array(z.object({ experiment_id: z.string(), name: z.string() })).default([]),
  next_page_token: token,
});
const texts = z
  .array(z.object({ key: z.string(), value: z.string().default('') }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));
const runSchema = z.object({
  info: z.object({
    run_id: z.string(),
    run_name: z.string().optional(),
    user_id: z.string().default(''),
    lifecycle_stage: z.string().optional(),
    status: z.string(),
    start_time: integer.optional(),
    end_time: integer.optional(),
  }),
  data: z.object({
    metrics: z.array(z.object({ key: z.string() })).default([]),
    params: texts,
    tags: texts,
  }),
});
const runsAnswer = z.object({ runs: z.array(runSchema).default([]), next_page_token: token });
const historyAnswer = z.object({
  metrics: z.array(z.object({ value: z.unknown(), timestamp: integer, step: integer.default(0) })).default([]),
  next_page_token: token,
});
const modelsAnswer = z.object({ registered_models: z.array(z.unknown()).default([]), next_page_token: token });
const filesAnswer = z.object({
  files: z.array(z.object({ path: z.string(), is_dir: z.boolean().default(false) })).default([]),
});

/** A server of MLflow's protocol, with the credentials of MLflow's own variables. */
class MlflowServer {
  private readonly headers: Record<string, string>;

  constructor(
    readonly url: string,
    environment: NodeJS.ProcessEnv,
  ) {
    const { MLFLOW_TRACKING_TOKEN: bearer, MLFLOW_TRACKING_USERNAME: user, MLFLOW_TRACKING_PASSWORD } = environment;
    const basic = Buffer.from(`${user ?? ''}:${MLFLOW_TRACKING_PASSWORD ?? ''}`).toString('base64');
    if (bearer !== undefined) this.headers = { authorization: `Bearer ${bearer}` };
    else this.headers = user === undefined ? {} : { authorization: `Basic ${basic}` };
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.headers, 'content-type': 'application/json' };
    let response: Response;
    try {
      response = await fetch(`${this.url}${path}`, { ...init, headers });
    } catch (error) {
      throw new WarrenError('UNAVAILABLE', `no MLflow answers at ${this.url}`, { cause: error });
    }
    if (response.ok) return response;
    const said = (await response.text().catch(() => '')).slice(0, 300);
    throw badInput(`${this.url}${path.split('?')[0]} answers ${response.status}: ${said}`, 'source');
  }

  async ask<Answer>(path: string, schema: z.ZodType<Answer>, body?: unknown): Promise<Answer> {
    const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await this.fetch(`/api/2.0/mlflow/${path}`, post);
    const parsed = schema.safeParse(await response.json().catch(() => null));
    if (parsed.success) return parsed.data;
    throw badInput(
      `what answers at ${this.url} is no MLflow server: ${parsed.error.issues[0]?.message ?? ''}`,
      'source',
    );
  }

  async *pages<Answer extends { next_page_token?: string | undefined }>(
    path: string,
    schema: z.ZodType<Answer>,
    body: Record<string, unknown>,
  ): AsyncGenerator<Answer> {
    for (let page_token: string | undefined; ; ) {
      const answer = await this.ask(path, schema, { ...body, ...(page_token === undefined ? {} : { page_token }) });
      yield answer;
      page_token = answer.next_page_token;
      if (page_token === undefined || page_token === '') return;
    }
  }
}

/**
 * The runs of an MLflow server, deleted ones only where they are asked for.
 * @throws WarrenError BAD_INPUT when it is none, or has no experiment of the name that is asked for.
 */
export async function* mlflowServerRuns(
  source: string,
  options: MlflowOptions & { environment?: NodeJS.ProcessEnv },
): SourceRuns {
  const { project, experiment: wanted, environment = process.env } = options;
  const server = new MlflowServer(source.replace(/\/+$/, ''), environment);
  let found = false;
  let deletedRuns = 0;
  for await (const { experiments } of server.pages('experiments/search', experimentsAnswer, { max_results: 1000 })) {
    for (const { experiment_id, name: experiment } of experiments) {
      if (wanted !== undefined && wanted !== experiment) continue;
      found = true;
      const query = {
        experiment_ids: [experiment_id],
        max_results: RUNS_AT_ONCE,
        run_view_type: 'ALL',
        order_by: ['attributes.start_time ASC'],
      };
      for await (const { runs } of server.pages('runs/search', runsAnswer, query)) {
        for (const { info, data } of runs) {
          const { run_id: runId } = info;
          const isDeleted = info.lifecycle_stage === 'deleted';
          if (isDeleted && options.deleted !== true) {
            deletedRuns++;
            continue;
          }
          const name = info.run_name ?? data.tags['mlflow.runName'] ?? runId;
          const times = { startMs: info.start_time ?? null, endMs: info.end_time ?? null };
          const facts = { runId, name, experiment, status: info.status, userName: info.user_id, ...times, isDeleted };
          yield {
            id: mlflowId(runId, project),
            label: name,
            facts: mlflowFacts({ ...facts, parameters: data.params, tags: data.tags }),
            read: () =>
              readRun(
                server,
                runId,
                data.metrics.map(({ key }) => key),
              ),
          };
        }
      }
    }
  }
  if (!found) throw badInput(`${source}: there is no experiment "${wanted ?? ''}"`, '--experiment');
  tellLeftOut({ deletedRuns, registeredModels: await countModels(server) }, options);
}

/** Registered models; 0 also where the server has no registry. */
async function countModels(server: MlflowServer): Promise<number> {
  let count = 0;
  for (let page = ''; ; ) {
    const query = new URLSearchParams({ max_results: '100', ...(page === '' ? {} : { page_token: page }) });
    const answer = await server
      .ask(`registered-models/search?${query.toString()}`, modelsAnswer)
      .catch(() => modelsAnswer.parse({}));
    count += answer.registered_models.length;
    page = answer.next_page_token ?? '';
    if (page === '') return count;
  }
}

async function* readRun(server: MlflowServer, runId: string, keys: readonly string[]): AsyncGenerator<SourceItem> {
  for (const key of keys) yield* readHistory(server, runId, key);
  const folder = await mkdtemp(join(tmpdir(), 'warren-import-'));
  try {
    yield* readFiles(server, runId, { folder, path: '' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* readHistory(server: MlflowServer, runId: string, key: string): AsyncGenerator<SourceItem> {
  const asked = { run_id: runId, metric_key: key, max_results: String(POINTS_AT_ONCE) };
  for (let page = ''; ; ) {
    const query = new URLSearchParams({ ...asked, ...(page === '' ? {} : { page_token: page }) });
    const answer = await server.ask(`metrics/get-history?${query.toString()}`, historyAnswer);
    const points = answer.metrics.flatMap(({ value, timestamp, step }) => {
      const number = looseNumber(value);
      return number === null ? [] : [{ step, timestamp, value: mlflowValue(number, false) }];
    });
    yield {
      type: 'points',
      name: key,
      steps: points.map(({ step }) => step),
      values: points.map(({ value }) => value),
      times: points.map(({ timestamp }) => timestamp),
    };
    page = answer.next_page_token ?? '';
    if (page === '') return;
  }
}

async function* readFiles(
  server: MlflowServer,
  runId: string,
  { folder, path }: { folder: string; path: string },
): AsyncGenerator<SourceItem> {
  const query = new URLSearchParams({ run_id: runId, ...(path === '' ? {} : { path }) });
  const listed = await server.ask(`artifacts/list?${query.toString()}`, filesAnswer).catch((error: unknown) => error);
  if (listed instanceof Error) {
    yield { type: 'warning', text: `files of run ${runId} are not read: ${listed.message}` };
    return;
  }
  const { files } = filesAnswer.parse(listed);
  for (const { path: name, is_dir } of files) {
    if (is_dir) {
      yield* readFiles(server, runId, { folder, path: name });
      continue;
    }
    const file = join(folder, 'file');
    try {
      const place = new URLSearchParams({ run_id: runId, path: name });
      const response = await server.fetch(`/get-artifact?${place.toString()}`);
      await pipeline(nodeStream(response.body ?? new ReadableStream()), createWriteStream(file));
    } catch (error) {
      yield { type: 'warning', text: `${name} of run ${runId} is not read: ${coerceError(error).message}` };
      continue;
    }
    yield { type: 'file', name, path: file };
  }
}

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { readFlags } from '../readFlags.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { startEmbeddedPostgres } from '#src/base/platform/embedded/embeddedPostgres.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { stopProcess } from '#src/base/platform/processes/processTree.ts';
import { startServer } from '#src/server/startServer.ts';
import { dropDatabases, makeDatabase, makeTemplate } from '#test/integration/support/testDatabases.ts';
import type { BenchResult } from '../benchResult.ts';
import { withFolder } from '../postgresProcess.ts';
import { whileOpen } from '../whileOpen.ts';

const OPTIONS = {
  /** A checkout of MLflow's repository. */
  checkout: { type: 'string', default: '' },
  /** A Python with MLflow, its server, and what its tests import. */
  python: { type: 'string', default: 'python3' },
  /** Test files, relative to the checkout. */
  files: { type: 'string', default: 'tests/tracking/test_rest_tracking.py,tests/tracking/test_model_registry.py' },
  /** Tests to run, as pytest's `-k` takes them. */
  select: { type: 'string', default: '' },
  json: { type: 'boolean', default: false },
} as const;

const PLUGIN = join(projectRoot(), 'test', 'bench', 'mlflow');
/** A test as pytest reports it, with what is within it unless it passed. */
const CASE = /<testcase classname="[^"]*" name="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/testcase>)/gs;

interface Outcomes {
  seconds: number;
  passed: string[];
  /** Names with their reasons. */
  failed: Map<string, string>;
  skipped: string[];
}

interface Tests {
  checkout: string;
  python: string;
  files: string;
  select: string;
  folder: string;
}

async function runTests(
  { checkout, python, files, select, folder }: Tests,
  variables: Record<string, string>,
): Promise<Outcomes> {
  const report = join(folder, 'report.xml');
  const started = performance.now();
  const words = ['-m', 'pytest', '-q', '-p', 'rest_tests_plugin', '-p', 'no:cacheprovider', `--junitxml=${report}`];
  const begin = () =>
    spawn(python, [...words, ...(select === '' ? [] : ['-k', select]), ...files.split(',')], {
      cwd: checkout,
      env: {
        ...{ ...process.env, PYTHONPATH: `${PLUGIN}:${checkout}`, PYTHONDONTWRITEBYTECODE: '1' },
        ...{ MLFLOW_DISABLE_TELEMETRY: 'true', ...variables },
      },
      stdio: ['ignore', process.env.WARREN_BENCH_LOG === '1' ? 2 : 'ignore', 'inherit'],
      detached: true,
    });
  await whileOpen(
    begin,
    async (child) => void (await stopProcess(child, { graceMs: 5_000, group: true })),
    (child) => new Promise<void>((resolve, reject) => child.once('exit', () => resolve()).once('error', reject)),
  );
  const seconds = (performance.now() - started) / 1000;
  const outcomes: Outcomes = { seconds, passed: [], failed: new Map(), skipped: [] };
  for (const [, name = '', inside = ''] of readFileSync(report, 'utf8').matchAll(CASE)) {
    if (inside.includes('<skipped')) outcomes.skipped.push(name);
    else if (!/<(?:failure|error)/.test(inside)) outcomes.passed.push(name);
    else outcomes.failed.set(name, /message="([^"]*)/.exec(inside)?.[1]?.slice(0, 300) ?? '');
  }
  rmSync(report);
  return outcomes;
}

/** Runs `work` with an address at which POST starts an empty Warren, and answers with its address, and DELETE ends it. */
async function withWarrens<Result>(folder: string, work: (url: string) => Promise<Result>): Promise<Result> {
  const home = join(folder, 'home');
  const log = createLogger('bench', 'warn');
  const begin = () => startEmbeddedPostgres({ home, port: 0, log, durable: false, superuser: true });
  return await whileOpen(
    begin,
    (postgres) => postgres.stop(),
    ({ superuserUrl }) => controlled({ folder, superuserUrl: superuserUrl() }, work),
  );
}

async function controlled<Result>(
  { folder, superuserUrl }: { folder: string; superuserUrl: string },
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const dashboardFolder = join(folder, 'web');
  mkdirSync(dashboardFolder);
  writeFileSync(join(dashboardFolder, 'index.html'), '<!doctype html><title>Warren</title>');
  let end = async () => {};
  let count = 0;
  const start = async (): Promise<string> => {
    await end();
    const databaseUrl = await makeDatabase(superuserUrl);
    const server = await startServer({
      ...{ databaseUrl, redisUrl: null, queuePrefix: 'warren', host: '127.0.0.1', port: 0, orNextPort: false },
      ...{ origins: [], requireToken: false, artifacts: join(folder, `artifacts-${count++}`), dashboardFolder },
      ...{ clientFolder: join(projectRoot(), 'dist', 'clients'), logger: createLogger('api', 'error') },
    });
    end = async () => {
      end = async () => {};
      await server.close();
      await dropDatabases(superuserUrl, [databaseUrl]);
    };
    return `${server.url}/mlflow`;
  };
  const control = createServer((request, response) => {
    const answer = request.method === 'POST' ? start() : end();
    answer.then(
      (url) => response.end(url ?? ''),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  try {
    await makeTemplate(superuserUrl);
    const port = await freePort(0);
    await new Promise<void>((resolve) => control.listen(port, '127.0.0.1', resolve));
    return await work(`http://127.0.0.1:${port}/`);
  } finally {
    control.close();
    await end();
  }
}

/**
 * MLflow's own tests of its REST protocol against Warren and against MLflow's own server, an empty one for each test. Notes
 * say which fail, here alone or there too: docs/mlflow.md has the reasons.
 */
export async function restTestsBench(flags: readonly string[]): Promise<BenchResult> {
  const values = readFlags(flags, OPTIONS);
  if (values.checkout === '' || !existsSync(join(values.checkout, 'tests', 'tracking'))) {
    const clone = 'git clone --depth 1 --branch v3.17.2 https://github.com/mlflow/mlflow FOLDER';
    throw new Error(`--checkout must name a checkout of MLflow's repository: ${clone}`);
  }
  return await withFolder(async (folder) => {
    // where MLflow's tests start their server
    process.chdir(values.checkout);
    const tests = { ...values, checkout: process.cwd(), folder };
    const ours = await withWarrens(folder, (url) => runTests(tests, { REST_TESTS_CONTROL: url }));
    const theirs = await runTests(tests, {});
    const told = (who: string, { passed, failed, skipped }: Outcomes) =>
      `${who}: ${passed.length} passed, ${failed.size} failed, ${skipped.length} skipped`;
    const name = 'mlflow-rest';
    const peer = `${name}/mlflow`;
    return {
      ...{ name, ours: { [name]: ours.seconds }, peers: { [peer]: theirs.seconds }, spread: {} },
      ratios: { [peer]: ours.seconds / theirs.seconds },
      notes: [
        ...[told('Warren', ours), told('MLflow', theirs)],
        ...[...ours.failed].map(
          ([test, why]) => `fails ${theirs.failed.has(test) ? 'at both' : 'here'}: ${test}: ${why}`,
        ),
        ...[...theirs.failed].filter(([test]) => !ours.failed.has(test)).map(([test]) => `fails at MLflow: ${test}`),
      ],
    };
  });
}

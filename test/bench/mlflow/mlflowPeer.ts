import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { stopProcess } from '#src/base/platform/processes/processTree.ts';
import { waitUntil } from '#test/integration/support/waitUntil.ts';
import { whileOpen } from '../whileOpen.ts';

/** Where `.ci/mlflowClients server` puts MLflow with its server and psycopg2. */
const INSTALLED = join(projectRoot(), '.warren', 'ci', 'mlflow-server', 'bin', 'python');
const DATABASE = 'mlflow';
const START_MS = 900_000;

export interface MlflowPeer {
  url: string;
  pid: number;
  /** Address of its database. */
  databaseUrl: string;
  version: string;
}

/** The Python of the peer, or why there is none. */
export function peerPython(): { python: string; version: string } | { reason: string } {
  const python = process.env.WARREN_MLFLOW_SERVER_PYTHON ?? INSTALLED;
  if (!existsSync(python))
    return { reason: `there is no ${python}; \`.ci/mlflowClients server\` installs MLflow's server` };
  const script = 'import aiohttp, flask, sqlalchemy, psycopg2, mlflow; print(mlflow.__version__)';
  const { status, stdout, stderr } = spawnSync(python, ['-c', script], { encoding: 'utf8' });
  if (status !== 0) return { reason: stderr.trim().split('\n').at(-1) ?? `exit code ${status}` };
  return { python, version: stdout.trim() };
}

/** Runs `mlflow server`, over a database of its own on a PostgreSQL that is there, while `work` lasts. */
export async function withMlflowServer<Result>(
  { python, version }: { python: string; version: string },
  { superuserUrl, folder }: { superuserUrl: string; folder: string },
  work: (peer: MlflowPeer) => Promise<Result>,
): Promise<Result> {
  const client = await connectPostgres(superuserUrl, { applicationName: 'bench' });
  await client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${DATABASE}`);
  await client.end();
  const databaseUrl = Object.assign(new URL(superuserUrl), { pathname: `/${DATABASE}` }).href;
  const port = await freePort(0);
  mkdirSync(join(folder, 'mlflow'), { recursive: true });
  // the driver that was asked for: newer versions of SQLAlchemy would take another
  const store = databaseUrl.replace(/^postgres(?:ql)?:/, 'postgresql+psycopg2:');
  const words = ['-m', 'mlflow', 'server', '--backend-store-uri', store, '--port', String(port)];
  const begin = () =>
    spawn(python, [...words, '--artifacts-destination', join(folder, 'mlflow')], {
      cwd: folder,
      env: { ...process.env, MLFLOW_DISABLE_TELEMETRY: 'true', MLFLOW_SERVER_ENABLE_JOB_EXECUTION: 'false' },
      stdio: ['ignore', 'ignore', process.env.WARREN_BENCH_LOG === '1' ? 'inherit' : 'ignore'],
      detached: true,
    });
  const url = `http://127.0.0.1:${port}`;
  const end = async (child: ChildProcess) => void (await stopProcess(child, { graceMs: 5_000, group: true }));
  return await whileOpen(begin, end, async (child) => {
    const isUp = () => {
      if (child.exitCode !== null) throw new Error(`mlflow server ended with code ${child.exitCode}`);
      return fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    };
    await waitUntil('the server of MLflow', isUp, START_MS);
    return await work({ url, pid: child.pid!, databaseUrl, version });
  });
}

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { forkingPython } from './forkingPython.ts';
import { hasModules } from './pythonModules.ts';
import { type RunningShell, startShell } from './runShell.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { waitUntil } from './waitUntil.ts';

/** The folder of the Python programs that the tests of MLflow's protocol run. */
const MLFLOW_PROGRAMS = join(projectRoot(), 'test', 'integration', 'mlflow');

/** Pythons with MLflow's client: those of `WARREN_MLFLOW_PYTHON`, separated by `:`, or `python3` if it has MLflow. */
function named(): string[] {
  const given = (process.env.WARREN_MLFLOW_PYTHON ?? '').split(':').filter((python) => python !== '');
  return given.length > 0 ? given : ['python3'];
}

/**
 * Pythons with MLflow's client. None, with the reason printed, where there is none; with `CI=true` that is a failure. A
 * Python that was named must have it.
 */
export function mlflowPythons(): string[] {
  const pythons = named().filter((python) => hasModules(python, ['mlflow']));
  const wanted = process.env.WARREN_MLFLOW_PYTHON ?? '';
  if (pythons.length === 0 || (wanted !== '' && pythons.length < named().length)) {
    const absent = named().filter((python) => !pythons.includes(python));
    const advice = 'WARREN_MLFLOW_PYTHON="$(.ci/mlflowClients)" installs it';
    const reason = `no mlflow in ${absent.join(', ')}: its own client is not tried (${advice})`;
    if (process.env.CI === 'true' || wanted !== '') throw new Error(reason);
    console.warn(`skipped: ${reason}`);
  }
  return pythons;
}

/**
 * Runs a program for MLflow's client to its end, in a folder of its own: one of the folder above, or what a document shows. Returns what it
 * wrote to stdout; any other exit code than 0 fails the test.
 */
export async function runWithMlflow(
  python: string,
  program: { file: string } | { script: string },
  words: readonly string[] = [],
): Promise<string> {
  const script = 'script' in program ? program.script : readFileSync(join(MLFLOW_PROGRAMS, program.file), 'utf8');
  const asked = { script, arguments: words, folder: temporaryFolder(), environment: {} };
  const { code, stdout, stderr } = await forkingPython(python, ['mlflow'])(asked).ended;
  if (code !== 0) throw new Error(`exit code ${code} of\n${script}\n${stderr}`);
  return stdout;
}

export interface MlflowServer extends RunningShell {
  url: string;
  /** Resolves when it answers. */
  ready(): Promise<unknown>;
}

/** Starts a real MLflow server over SQLite, ended after the file's tests; null, with the reason printed, where it lacks a part. */
export async function startMlflowServer(python: string): Promise<MlflowServer | null> {
  if (!hasModules(python, ['flask', 'flask_cors', 'sqlalchemy', 'alembic'])) {
    const reason = `${python} has no flask, flask-cors, sqlalchemy and alembic: MLflow's server is not compared with`;
    if (process.env.CI === 'true') throw new Error(reason);
    console.warn(`skipped: ${reason}`);
    return null;
  }
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'files'));
  const port = await freePort(0);
  const shell = startShell(`exec "$PYTHON" "$PROGRAM" ${folder} ${port}`, {
    PYTHON: python,
    PROGRAM: join(MLFLOW_PROGRAMS, 'server.py'),
    // for receivers on this machine, which are looked up anew for each event
    ...{ MLFLOW_WEBHOOK_ALLOWED_SCHEMES: 'http,https', MLFLOW_WEBHOOK_ALLOW_PRIVATE_IPS: 'true' },
    MLFLOW_WEBHOOK_CACHE_TTL: '0',
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/health`)
      .then(({ ok }) => ok)
      .catch(() => false);
  return { ...shell, url, ready: () => waitUntil('the server of MLflow', isUp, 180_000) };
}

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { atEndOfFile } from './atEndOfFile.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { stopProcess } from '#src/base/platform/processes/processTree.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export interface ApiProcess {
  child: ChildProcess;
  stdout: string;
  stderr: string;
  /** Where it listens; null until it says so. */
  url: string | null;
  /** Exit code, when it has ended and all that it wrote has been read. */
  ended: Promise<number | null>;
}

/**
 * What starts the built API as `warren up` does, with a home of this test file and further variables; its processes end with
 * the tests. Use at the top of a file.
 */
export function apiProcessesForTests(): (environment: NodeJS.ProcessEnv) => ApiProcess {
  const folder = temporaryFolder();
  const children: ChildProcess[] = [];
  atEndOfFile(() => Promise.all(children.map((child) => stopProcess(child, { graceMs: 0 }))));

  return (environment) => {
    const child = fork(builtFile('api.js'), [], {
      env: { ...process.env, WARREN_HOME: join(folder, 'home'), WARREN_LOG: 'warn', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    children.push(child);
    const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
    const started: ApiProcess = { child, stdout: '', stderr: '', url: null, ended };
    child.stdout?.on('data', (text) => (started.stdout += String(text)));
    child.stderr?.on('data', (text) => (started.stderr += String(text)));
    child.on('message', (message: { type: string; url: string }) => {
      if (message.type === 'listening') started.url = message.url;
    });
    return started;
  };
}

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { stopProcess } from '#src/base/platform/processes/processTree.ts';
import { whileOpen } from './whileOpen.ts';

const listening = z.object({ type: z.literal('listening'), url: z.string() });

/**
 * Runs the built API as `warren up` does, in a process of its own, while `work` lasts.
 * @param profiles A folder into which the API writes what its processor time was spent on, when it ends.
 */
export async function withApi<Result>(
  { databaseUrl, home, profiles }: { databaseUrl: string; home: string; profiles?: string | undefined },
  work: (url: string, pid: number) => Promise<Result>,
): Promise<Result> {
  const environment = {
    DATABASE_URL: databaseUrl,
    WARREN_HOME: join(home, 'api'),
    NODE_ENV: 'production',
    WARREN_LOG: 'error',
    WARREN_PORT: '0',
  };
  const begin = () =>
    fork(builtFile('api.js'), [], {
      execArgv: profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`],
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Ctrl-C in a terminal reaches the benchmark alone, which ends the API
      detached: true,
    });
  const end = async (child: ChildProcess) => {
    child.removeAllListeners('exit');
    await stopProcess(child, { graceMs: 5_000 });
  };
  return await whileOpen(begin, end, async (child) => {
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the API ended with code ${code}`)));
      child.once('message', (message) => resolve(listening.parse(message).url));
    });
    return await work(url, child.pid!);
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { builtFile, projectRoot } from '#src/lib/projectRoot.ts';
import { stopProcess } from '#src/platform/processes/processTree.ts';
import { atEndOfFile } from './atEndOfFile.ts';
import { type ChildOutput, childOutput } from './childOutput.ts';
import { waitUntil } from './waitUntil.ts';

export interface RunningShell extends ChildOutput {
  child: ChildProcess;
}

/** Variables of the surroundings that would lead Warren's commands elsewhere. */
const OURS = /^(WARREN_(?!TIMING$)|DATABASE_URL$|REDIS_URL$|NO_COLOR$|FORCE_COLOR$)/;

/**
 * What documents write, and what it comes to once everything is built, as it is here: npm and the look for changed sources take half
 * a second of processor each time.
 */
const [WARREN, BUILT] = ['npm run -s warren --', `'${process.execPath}' '${builtFile('cli.js')}'`];

/**
 * Starts a script in bash, at the root of the project or in `folder`, that ends at its first failing command. It has no
 * variables of Warren but those given, and is ended after the tests of the file with all that it started.
 */
export function startShell(script: string, variables: Record<string, string>, folder = projectRoot()): RunningShell {
  const inherited = Object.entries(process.env).filter(([name]) => !OURS.test(name));
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script.replaceAll(WARREN, BUILT)], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), WARREN_OFFLINE: '1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  atEndOfFile(() => endShell(child));
  return { child, ...childOutput(child) };
}

async function endShell(child: ChildProcess): Promise<void> {
  // Bash ends at once; what it started may have a database to stop.
  signalGroup(child, 'SIGTERM');
  await waitUntil('what the shell started has ended', () => !signalGroup(child, 0), 15_000).catch(() => {});
  await stopProcess(child, { graceMs: 0, group: true });
}

/** False when no process of the child's group is left. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
    return pid !== undefined;
  } catch {
    return false;
  }
}

/** Runs a script to its end. @throws when it fails, with what it wrote to stderr. Returns what it wrote to stdout. */
export async function runShell(script: string, variables: Record<string, string>, folder?: string): Promise<string> {
  const { code, stdout, stderr } = await startShell(script, variables, folder).ended;
  if (code !== 0) throw new Error(`exit code ${code} of\n${script}\n${stderr}`);
  return stdout;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { builtFile, projectRoot } from '#src/base/lib/projectRoot.ts';
import { stopProcess } from '#src/base/platform/processes/processTree.ts';
import { atEndOfFile } from './atEndOfFile.ts';
import { type ChildEnd, type ChildOutput, childOutput } from './childOutput.ts';
import { plainCommands, WARREN } from './plainCommands.ts';
import { waitUntil } from './waitUntil.ts';
import { runWarren, variablesWith } from './warrenCommand.ts';

export interface RunningShell extends ChildOutput {
  child: ChildProcess;
}

/**
 * What a call of Warren comes to once everything is built, as it is here: npm and the look for changed sources take half a
 * second of processor each time.
 */
const BUILT = `'${process.execPath}' '${builtFile('cli.js')}'`;

/**
 * Starts a script in bash, at the root of the project or in `folder`, that ends at its first failing command. It has no
 * variables of Warren but those given, and is ended after the tests of the file with all that it started.
 */
export function startShell(script: string, variables: Record<string, string>, folder = projectRoot()): RunningShell {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script.replaceAll(WARREN, BUILT)], {
    cwd: folder,
    env: variablesWith(variables),
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

/**
 * Runs a script to its end: in a shell, but for one that only calls Warren, which is called in this process.
 * @throws when it fails, with what it wrote to stderr. Returns what it wrote to stdout.
 */
export async function runShell(script: string, variables: Record<string, string>, folder?: string): Promise<string> {
  const plain = folder === undefined ? plainCommands(script) : null;
  if (plain === null) return outputOf(script, await startShell(script, variables, folder).ended);
  let printed = '';
  for (const command of plain) {
    printed += outputOf(script, await runWarren(command.words, { ...variables, ...command.variables }));
  }
  return printed;
}

function outputOf(script: string, { code, stdout, stderr }: ChildEnd): string {
  if (code !== 0) throw new Error(`exit code ${code} of\n${script}\n${stderr}`);
  return stdout;
}

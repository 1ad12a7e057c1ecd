import { type ChildProcess, spawn } from 'node:child_process';
import { atEndOfFile } from './atEndOfFile.ts';
import { capturedSurroundings } from './capturedSurroundings.ts';
import { type ChildEnd, type ChildOutput, childOutput } from './childOutput.ts';
import { z } from 'zod';
import { createCommandContext } from '#src/base/terminal/commandContext.ts';
import { runCommandLine } from '#src/cli/runCommandLine.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { readInstance } from '#src/base/platform/instance.ts';
import { prepareHome } from './preparedHome.ts';
import { waitUntil } from './waitUntil.ts';

export interface RunningCommand extends ChildOutput {
  child: ChildProcess;
}

/** Variables of the surroundings that would lead the command elsewhere; how fast its clocks go does not. */
const OURS = /^(WARREN_(?!TIMING$)|DATABASE_URL$|REDIS_URL$|NO_COLOR$|FORCE_COLOR$)/;

/** Those of a command, with none of Warren but those given. It fetches nothing, and computes on one thread: other tests run beside. */
export function variablesWith(given: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !OURS.test(name));
  return { ...Object.fromEntries(inherited), WARREN_OFFLINE: '1', WARREN_THREADS: '1', ...given };
}

/**
 * Starts the built command line, in a process group of its own, with no variables of Warren but those given.
 * What a failed test has left running ends after the tests of the file.
 */
export function startWarren(
  parameters: readonly string[],
  variables: Record<string, string>,
  { folder }: { folder?: string } = {},
): RunningCommand {
  const child = spawn(process.execPath, [builtFile('cli.js'), ...parameters], {
    env: variablesWith(variables),
    ...(folder === undefined ? {} : { cwd: folder }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const running: RunningCommand = { child, ...childOutput(child) };
  atEndOfFile(() => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    return running.ended;
  });
  return running;
}

export interface CalledCommand extends ChildOutput {
  signal(name: NodeJS.Signals): void;
}

/** Commands that need a process of their own: what serves, and what draws pages amid a browser's globals. */
const PROGRAMS = /^(?:api|demo|mcp|report export|up|worker)(?: |$)/;
/** Variables that a process reads once. */
const OF_PROCESS = /^(NODE_|WARREN_KINDS$)/;

/**
 * Calls the command line in this process, which saves the start of another, with no variables of Warren but those given. Relative
 * paths lead from the root of the project. For `startWarren` remain programs, what a process reads once, another working
 * folder, and what a test promises of processes.
 */
export function callWarren(parameters: readonly string[], variables: Record<string, string>): CalledCommand {
  const surroundings = capturedSurroundings(parameters, variablesWith(variables));
  const { stdout, stderr, exited, signals } = surroundings;
  const code = Promise.race([runCommandLine(createCommandContext(surroundings)), exited]);
  return {
    stdout,
    stderr,
    ended: code.then((code) => ({ code, stdout: stdout(), stderr: stderr() })),
    signal: (name) => void signals.emit(name, name),
  };
}

/** Runs the command line to its end: in this process where that is the same. */
export function runWarren(
  parameters: readonly string[],
  variables: Record<string, string>,
  options: { folder?: string } = {},
): Promise<ChildEnd> {
  const ofProcess = Object.entries(variables).some(([name, value]) => OF_PROCESS.test(name) && value !== '');
  const apart = options.folder !== undefined || PROGRAMS.test(parameters.join(' ')) || ofProcess;
  return (apart ? startWarren(parameters, variables, options) : callWarren(parameters, variables)).ended;
}

export interface RunningUp extends RunningCommand {
  url: string;
  /** State of a run, by its id, without starting a process to ask. */
  stateOf(id: string): Promise<string>;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<ChildEnd>;
}

/**
 * Starts `warren up` on a free port and waits until it is up; stopped after the tests if it still runs. A new home is one in
 * which Warren has been started before: `demo.test.ts` and examples in documents start in an empty one.
 */
export async function startUp(
  home: string,
  parameters: readonly string[] = [],
  variables: Record<string, string> = {},
): Promise<RunningUp> {
  if (variables.DATABASE_URL === undefined) prepareHome(home);
  const command = startWarren(['up', '--port', '0', '--quiet', ...parameters], { WARREN_HOME: home, ...variables });
  const stop = () => {
    command.child.kill('SIGTERM');
    return command.ended;
  };
  atEndOfFile(stop);
  const url = await waitUntil(
    'warren up',
    () => {
      if (command.child.exitCode !== null) throw new Error(`warren up ended: ${command.stderr()}`);
      return /Warren is up at (\S+)/.exec(command.stdout())?.[1];
    },
    60_000,
  );
  return { ...command, url, stop, stateOf: (id) => stateOf(url, id) };
}

const answerSchema = z.object({ data: z.object({ run: z.object({ state: z.string() }) }) });

async function stateOf(url: string, id: string): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'query ($id: ID!) { run(id: $id) { state } }', variables: { id } }),
  });
  return answerSchema.parse(await response.json()).data.run.state;
}

/** Process of the embedded PostgreSQL of the Warren that runs in `home`. */
export async function postgresPid(home: string): Promise<number> {
  return (await readInstance(home))?.postgresPid ?? Number.NaN;
}

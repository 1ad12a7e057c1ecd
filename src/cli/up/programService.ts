import { type ChildProcess, fork } from 'node:child_process';
import { basename } from 'node:path';
import { Writable } from 'node:stream';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { SECRETS_DESCRIPTOR, withoutSecrets } from '#src/base/platform/processes/handedSecrets.ts';
import { exitOf, type ProcessExit, stopProcess } from '#src/base/platform/processes/processTree.ts';
import type { RunningService, ServiceEnd } from './supervise.ts';

export interface ProgramServiceOptions {
  /** A built program in `dist/`. */
  path: string;
  environment: NodeJS.ProcessEnv;
  /** Where its log, its stderr, goes: ours, or an open file. */
  output: 'inherit' | number;
  /** Whether the start is over only when the program has sent a message `{ type: 'listening' }`. */
  waitForListening: boolean;
  /** Between asking it to stop and killing it. */
  graceMs: number;
}

/** The exit code by which our programs say that a setting is wrong. */
const BAD_INPUT_CODE = 2;

/**
 * Starts one of Warren's programs in a process group of its own: a Ctrl-C in the terminal reaches us alone, and we stop
 * things in their order. The IPC channel ties its life to ours: when we are killed it closes, and the program ends.
 */
export async function startProgramService(options: ProgramServiceOptions): Promise<RunningService> {
  const { path, environment, output } = options;
  const { open, secrets } = withoutSecrets(environment);
  const child = fork(path, [], {
    env: open,
    detached: true,
    stdio: ['ignore', 'ignore', output, 'ipc', 'pipe'],
  });
  giveSecrets(child, secrets);
  const ended = exitOf(child).then(describeExit);
  child.on('error', () => {}); // a program that cannot be started has no exit: `listening` tells
  if (options.waitForListening) await listening(child, ended, basename(path, '.js'));
  return {
    ended,
    stop: async () => {
      await stopProcess(child, { graceMs: options.graceMs, group: true });
    },
    kill: () => {
      void stopProcess(child, { graceMs: 0, signal: 'SIGKILL', group: true });
    },
  };
}

function giveSecrets(child: ChildProcess, secrets: string): void {
  const pipe = child.stdio[SECRETS_DESCRIPTOR];
  if (!(pipe instanceof Writable)) return; // it could not be started
  pipe.on('error', () => {}); // its end tells
  pipe.end(secrets);
}

function listening(child: ChildProcess, ended: Promise<ServiceEnd>, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: unknown) => {
      if (typeof message === 'object' && message !== null && 'type' in message && message.type === 'listening')
        resolve();
    });
    child.once('error', reject);
    void ended.then(({ how, hopeless }) =>
      reject(
        new WarrenError(
          hopeless ? 'BAD_INPUT' : 'UNAVAILABLE',
          `the ${name} process did not start: ${how}; it says why above`,
        ),
      ),
    );
  });
}

function describeExit({ code, signal }: ProcessExit): ServiceEnd {
  const how = signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
  return { how, hopeless: code === BAD_INPUT_CODE };
}

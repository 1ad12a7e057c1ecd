import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { SENDING_THREAD } from '../generated/sendingThread.ts';
import { GUARD_ORDER, type GuardOrder } from './sendRest.ts';
import { REST } from './journal.ts';

/** Stands beside a program, which a busy loop keeps from hearing of Ctrl-C, and which Ctrl-C ends before it can say so. */
export interface Guard {
  /** Resolves when it hears of Ctrl-C, or is known not to. */
  ready: Promise<unknown>;
  /** The run's end is written: after Ctrl-C only the rest is to be sent. */
  ended(): void;
  /** Nothing is left to do. */
  done(): void;
}

/**
 * Waits until the program is gone. Only where Ctrl-C, which the terminal tells both of, was the reason (it came in the last ten
 * seconds, in which the system takes back what a large program had, and the program said no word), the run's end is written, and
 * a process is started that sends what is left.
 */
const WAITING = `
presses=0 at=0 ended=
trap 'presses=$((presses + 1)) at=$(date +%s)' INT
trap '' HUP
echo ready
while before=$presses; :; do
  if read -r word; then
    case $word in done) exit ;; ended) ended=yes ;; esac
  elif [ "$presses" = "$before" ]; then break; fi
done
[ $(($(date +%s) - at)) -le 10 ] || exit 0
[ -n "$ended" ] || printf '\\n%s\\n' '["end","CANCELLED",null]' >> "$2"
[ -n "$3" ] || exit 0
: > "$2${REST}"
exec "$1" -e "$WARREN_SENDING"
`;

/** Programs that take a script by `-e`; a program that is one file with its Node would begin anew. */
const TAKES_SCRIPTS = /^(node|bun)/;

/** Starts the guard; null where there is no shell for it, or no process may be started. */
export function startGuard(order: GuardOrder): Guard | null {
  if (process.platform === 'win32') return null;
  const { NODE_OPTIONS: _, ...variables } = process.env;
  const server = TAKES_SCRIPTS.test(basename(process.execPath)) ? order.server : null;
  const parameters = ['-c', WAITING, 'warren', process.execPath, order.journal, server ?? ''];
  const env = { ...variables, WARREN_SENDING: SENDING_THREAD, [GUARD_ORDER]: JSON.stringify(order) };
  try {
    return guardOf(spawn('/bin/sh', parameters, { env, stdio: ['pipe', 'pipe', 'inherit'] }));
  } catch {
    return null;
  }
}

function guardOf(shell: ChildProcessByStdio<Writable, Readable, null>): Guard {
  // first of all: where the system has no more files or processes to give, the shell has an error and no streams
  shell.on('error', () => {});
  const { stdin, stdout } = shell;
  for (const stream of [stdin, stdout]) stream.on('error', () => {});
  const ready = new Promise<void>((resolve) => {
    stdout.once('data', () => resolve());
    for (const event of ['error', 'close']) shell.once(event, () => resolve());
  }).then(() => {
    // from now on it keeps no program from ending
    stdout.destroy();
    shell.unref();
    if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  });
  return {
    ready,
    ended: () => void stdin.write('ended\n'),
    done: () => void stdin.end('done\n'),
  };
}

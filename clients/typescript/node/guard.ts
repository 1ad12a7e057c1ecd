import { spawn } from 'node:child_process';
import { SENDING_THREAD } from '../generated/sendingThread.ts';
import { GUARD_ORDER, type GuardOrder } from './sendRest.ts';
import { REST } from './journal.ts';

/** Stands beside a program, which a busy loop keeps from hearing of Ctrl-C, and which Ctrl-C ends before it can say so. */
export interface Guard {
  /** The run's end is written: after Ctrl-C only the rest is to be sent. */
  ended(): void;
  /** Nothing is left to do. */
  done(): void;
}

/**
 * Waits until the program is gone. Only where Ctrl-C, which the terminal tells both of, was the reason (it came in the last two
 * seconds, and the program said no word), the run's end is written, and a process is started that sends what is left.
 */
const WAITING = `
presses=0 at=0 ended=
trap 'presses=$((presses + 1)) at=$(date +%s)' INT
trap '' HUP
while before=$presses; :; do
  if read -r word; then
    case $word in done) exit ;; ended) ended=yes ;; esac
  elif [ "$presses" = "$before" ]; then break; fi
done
[ $(($(date +%s) - at)) -le 2 ] || exit 0
[ -n "$ended" ] || printf '\\n%s\\n' '["end","CANCELLED",null]' >> "$2"
[ -n "$3" ] || exit 0
: > "$2${REST}"
exec "$1" -e "$WARREN_SENDING"
`;

/** Starts the guard; without a shell there is none. */
export function startGuard(order: GuardOrder): Guard | null {
  if (process.platform === 'win32') return null;
  const { NODE_OPTIONS: _, ...variables } = process.env;
  const parameters = ['-c', WAITING, 'warren', process.execPath, order.journal, order.server ?? ''];
  const shell = spawn('/bin/sh', parameters, {
    env: { ...variables, WARREN_SENDING: SENDING_THREAD, [GUARD_ORDER]: JSON.stringify(order) },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const { stdin } = shell;
  for (const each of [shell, stdin]) each.on('error', () => {});
  shell.unref();
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return {
    ended: () => void stdin.write('ended\n'),
    done: () => void stdin.end('done\n'),
  };
}

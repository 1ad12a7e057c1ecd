import { join } from 'node:path';
import { readEnvironment } from '#src/base/platform/environment.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { formatDuration } from '#src/base/terminal/formatNumber.ts';
import { serveUntilStopped } from './serveUntilStopped.ts';

export interface UpFlags {
  host?: string;
  port?: number;
  workers: number;
  slots?: number;
  quiet?: boolean;
  allowCommands?: boolean;
  commandUser?: string;
  trustCommands?: boolean;
}

/** The body of `warren up`. */
export async function runUp(context: CommandContext, flags: UpFlags): Promise<void> {
  const { terminal } = context;
  const started = performance.now();
  setVariable('WARREN_HOST', flags.host);
  setVariable('WARREN_PORT', flags.port);
  setVariable('WARREN_SLOTS', flags.slots);
  setVariable('WARREN_ALLOW_COMMANDS', flags.allowCommands === true ? 1 : undefined);
  setVariable('WARREN_COMMAND_USER', flags.commandUser);
  setVariable('WARREN_TRUST_COMMANDS', flags.trustCommands === true ? 1 : undefined);
  const environment = readEnvironment();
  const logs = flags.quiet === true ? { folder: join(environment.home, 'logs') } : ('inherit' as const);
  await serveUntilStopped(context, {
    stack: {
      environment,
      workers: flags.workers,
      logs,
      say: (line) => terminal.say(`warren: ${line}`),
    },
    say: (line) => terminal.say(`warren: ${line}`),
    async onStarted({ url }) {
      const { colours } = terminal;
      const workers = flags.workers === 1 ? 'a worker' : `${flags.workers} workers`;
      terminal.print(
        `${colours.bold(`Warren is up at ${colours.cyan(url)}`)} with ${workers}, after ${formatDuration(performance.now() - started)}. Ctrl-C stops it.`,
      );
      return 'serve';
    },
  });
}

/** Options come before variables, and the programs that are started read variables. */
function setVariable(name: string, value: string | number | undefined): void {
  if (value !== undefined) process.env[name] = String(value);
}

import type { Command } from 'commander';
import { wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import type { UpFlags } from '../up/runUp.ts';

export function addUpCommand(program: Command, context: CommandContext): void {
  program
    .command('up')
    .summary('start database, API, dashboard and a worker')
    .description('Start everything on this machine, watch over it, and stop all of it with Ctrl-C.')
    .option('--host <address>', 'address to bind; any but loopback requires tokens (WARREN_HOST, default 127.0.0.1)')
    .option(
      '--port <port>',
      'port of API and dashboard; without it the next free one from 4680 (WARREN_PORT)',
      wholeNumber('--port', 0, 65_535),
    )
    .option('--workers <n>', 'worker processes', wholeNumber('--workers', 0, 64), 1)
    .option('--slots <n>', 'runs that each worker executes at once (WARREN_SLOTS)', wholeNumber('--slots', 1, 64))
    .option(
      '--allow-commands',
      'let the workers execute commands that users with a token queue (WARREN_ALLOW_COMMANDS=1)',
    )
    .option(
      '--command-user <name>',
      'run these commands as this Unix user; must be started by root (WARREN_COMMAND_USER)',
    )
    .option(
      '--trust-commands',
      'run them as this user even where tokens are asked for: who may queue them may read all of this Warren (WARREN_TRUST_COMMANDS=1)',
    )
    .option('--quiet', 'put the logs into .warren/logs instead of the terminal')
    .addHelpText(
      'after',
      '\nThe database is a private PostgreSQL under .warren, unless DATABASE_URL names one; the queue lives in it, unless\nREDIS_URL names a Redis.\n\nExamples:\n  warren up\n  warren up --workers 2 --port 8080\n  DATABASE_URL=postgresql://… REDIS_URL=redis://… warren up --host 0.0.0.0',
    )
    .action(async (flags: UpFlags) => {
      const { runUp } = await import('../up/runUp.ts');
      await runUp(context, flags);
    });
}

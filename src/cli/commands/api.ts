import type { Command } from 'commander';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { becomeProgram } from '../becomeProgram.ts';

export function addApiCommand(program: Command, context: CommandContext): void {
  program
    .command('api')
    .summary('serve API and dashboard without database and workers, for production')
    .description('Serve the GraphQL API and the dashboard, over the PostgreSQL of DATABASE_URL. Workers run elsewhere.')
    .option('--host <address>', 'address to bind; any but loopback requires tokens (WARREN_HOST)')
    .option('--port <port>', 'port to bind (WARREN_PORT, default 4680)', wholeNumber('--port', 0, 65_535))
    .addHelpText(
      'after',
      '\nExamples:\n  DATABASE_URL=postgresql://… warren api --host 0.0.0.0\n  DATABASE_URL=postgresql://… REDIS_URL=redis://… warren api',
    )
    .action(async (options: { host?: string; port?: number }) => {
      await becomeProgram(context, builtFile('api.js'), {
        ...(options.host === undefined ? {} : { WARREN_HOST: options.host }),
        ...(options.port === undefined ? {} : { WARREN_PORT: String(options.port) }),
      });
    });
}

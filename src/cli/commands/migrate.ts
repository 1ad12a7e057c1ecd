import type { Command } from 'commander';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { findServices } from '#src/base/terminal/findServices.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';

export function addMigrateCommand(program: Command, context: CommandContext): void {
  const migrate = program
    .command('migrate')
    .summary('bring the database to the newest schema')
    .description('List or apply the migrations of the database of DATABASE_URL, or of the running `warren up`.')
    .addHelpText(
      'after',
      '\nThe API applies them by itself when it starts.\n\nExamples:\n  DATABASE_URL=postgresql://… warren migrate status\n  DATABASE_URL=postgresql://… warren migrate            # the same as migrate apply',
    );
  migrate
    .command('status')
    .summary('list which migrations are applied')
    .description('List the migrations; exit code 1 when some are not applied.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { migrationStatus } = await import('#src/base/platform/postgres/migrations.ts');
      const status = await migrationStatus(await databaseUrl(context));
      if (status.pending.length > 0 || status.problems.length > 0) context.exitCode = EXIT_FAILED;
      const { terminal } = context;
      if (options.json === true) {
        terminal.print(JSON.stringify(status, null, 2));
        return;
      }
      for (const name of status.applied) terminal.print(`${terminal.colours.green('applied')}  ${name}`);
      for (const name of status.pending) terminal.print(`${terminal.colours.yellow('pending')}  ${name}`);
      for (const problem of status.problems) terminal.say(`warren: ${problem}`);
    });
  migrate
    .command('apply', { isDefault: true })
    .summary('apply those that are missing')
    .description('Apply the missing migrations, each in a transaction of its own. Two at once wait for each other.')
    .action(async () => {
      const { applyMigrations } = await import('#src/base/platform/postgres/migrations.ts');
      const { awaitPostgres } = await import('#src/base/platform/postgres/awaitPostgres.ts');
      const url = await databaseUrl(context);
      const say = (message: string) => context.terminal.say(`warren: ${message}`);
      await awaitPostgres(url, { seconds: context.environment().startSeconds, say });
      const { applied, present } = await applyMigrations(url, { onWait: say });
      for (const name of applied) context.terminal.print(`applied  ${name}`);
      if (applied.length === 0) context.terminal.print(`nothing to apply: all ${present.length} are there`);
    });
}

async function databaseUrl(context: CommandContext): Promise<string> {
  const environment = context.environment();
  const services = await findServices(environment);
  if (services !== null) return services.databaseUrl;
  throw new WarrenError(
    'UNAVAILABLE',
    `no database: set DATABASE_URL, or start \`warren up\` (none runs in ${environment.home})`,
  );
}

import type { Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

export function addStatusCommand(program: Command, context: CommandContext): void {
  program
    .command('status')
    .summary('show the server at a glance: workers, queue, what runs and what failed')
    .description(
      'Show version, workers, queue, the runs under way, those that failed in the last 24 hours, and disk space of the server. `warren doctor` checks this machine instead.',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { showStatus } = await import('./showStatus.ts');
      await showStatus(context, { json: options.json === true });
    });
}

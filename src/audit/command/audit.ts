import type { Command } from 'commander';
import { readSince } from '#src/base/terminal/arguments/since.ts';
import { wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

interface AuditOptions {
  since?: Date;
  project?: string;
  actor?: string;
  limit: number;
  json?: boolean;
}

export function addAuditCommand(program: Command, context: CommandContext): void {
  program
    .command('audit')
    .summary('list who changed what')
    .description(
      'List who changed what, newest first: mutations, tokens, links, sign-ins, exports, backups, but not what programs log into their runs. Needs the role ADMIN; who has it in some projects only sees the entries of these.',
    )
    .option('--since <when>', 'a span such as 7d, or a date such as 2026-11-30', readSince)
    .option('--project <name>', 'only what concerned this project')
    .option('--actor <name>', 'only what this token or user did')
    .option('--limit <n>', 'entries at most', wholeNumber('--limit', 1, 100_000), 100)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  warren audit --since 7d\n  warren audit --project papers --json')
    .action(async (options: AuditOptions) => {
      const { showAudit } = await import('./showAudit.ts');
      await showAudit(context, options);
    });
}

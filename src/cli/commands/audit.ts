import type { Command } from 'commander';
import { readSince } from '../arguments/since.ts';
import { wholeNumber } from '../arguments/amounts.ts';
import type { CommandContext } from '../commandContext.ts';

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
    .summary('who did what')
    .description(
      'Say who changed what, the newest first: mutations, tokens, links, sign-ins, exports, backups. What programs log into\ntheir runs is not in it. For admins; who administers some projects sees what concerns these alone.',
    )
    .option('--since <when>', 'a span such as 7d, or a date such as 2026-11-30', readSince)
    .option('--project <name>', 'only what concerned this project')
    .option('--actor <name>', 'only what this token or user did')
    .option('--limit <n>', 'entries at most', wholeNumber('--limit', 1, 100_000), 100)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  warren audit --since 7d\n  warren audit --project papers --json')
    .action(async (options: AuditOptions) => {
      const { showAudit } = await import('../audit/showAudit.ts');
      await showAudit(context, options);
    });
}

import type { Command } from 'commander';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

/** The bodies of the commands, loaded when one of them runs. */
const bodies = () => import('./shareCommands.ts');

interface CreateOptions {
  report?: string;
  project?: string;
  filter?: string;
  title?: string;
  days?: string;
  withProgram?: boolean;
  json?: boolean;
}

export function addShareCommand(program: Command, context: CommandContext): void {
  const share = program
    .command('share')
    .summary('make read-only links for people without a token')
    .description(
      'Make a read-only link to a run, to a comparison of several, to a report, or to the runs of a project. Whoever has the link sees these with curves, media and artifacts, and nothing else. The link is shown once; it can be withdrawn.',
    )
    .argument('[runs...]', 'numbers or ids: one for its page, several for their comparison')
    .option('--report <report>', 'this report: its newest version, now and later')
    .option('--project <name>', 'the table of this project')
    .option('--filter <text>', 'only these of its runs, now and later')
    .option('--title <text>', 'what people read above the page')
    .option('--with-program', 'also show what programs are and where they ran: code, command, host, packages')
    .option('--days <n>', 'days until it ends; without it, until it is withdrawn')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  warren share 12 --days 30\n  warren share 3 4 5 --title "Three models"\n  warren share --project papers --filter "tag = final"\n  warren share --report 3\n  warren share ls\n  warren share withdraw 0f8e…',
    )
    .action(async (runs: string[], options: CreateOptions) => (await bodies()).makeLink(context, runs, options));
  share
    .command('ls')
    .summary('list links')
    .option('--project <name>', 'only those of this project')
    .option('--json', 'print JSON')
    .action(async (...[, command]: [object, Command]) =>
      (await bodies()).listLinks(context, command.optsWithGlobals<{ project?: string; json?: boolean }>()),
    );
  share
    .command('withdraw')
    .summary('end a link now')
    .argument('<id>', 'its id, or the beginning of it')
    .action(async (id: string) => (await bodies()).withdrawLink(context, id));
}

import { type Command, Option } from 'commander';
import { wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import type { ExportReportOptions } from './exportReport.ts';

/** The bodies of the commands, loaded when one of them runs. */
const bodies = () => import('./reportCommands.ts');

const EXAMPLES = `
Examples:
  warren report save findings.md --project papers --title "Dropout helps"
  warren report save findings.md --report 1 --based-on 1
  warren report export 1 --output findings-with-numbers.md
  warren report export 1 --output findings.html
  warren report export https://warren.example.org/shared#warren_share_… --format html > findings.html

A PDF is printed in the dashboard.`;

const versionNumber = () => wholeNumber('--version', 1, 100_000);

export function addReportCommand(program: Command, context: CommandContext): void {
  const report = program
    .command('report')
    .summary('write and export reports: text with figures and tables of runs')
    .description('Write and export reports: Markdown with figures, tables and numbers that are drawn from the runs.')
    .addHelpText('after', EXAMPLES);
  report
    .command('ls')
    .description('List reports, the last saved first.')
    .option('--project <name>', 'those of this project')
    .option('--trash', 'those in the trash instead')
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; trash?: boolean; json?: boolean }) =>
      (await bodies()).listReportsCommand(context, options),
    );
  report
    .command('show')
    .description('Print the text of a report as it was written.')
    .argument('<report>', 'number or id')
    .option('--version <n>', 'this version instead of the newest', versionNumber())
    .option('--versions', 'list its versions instead')
    .option('--json', 'print JSON')
    .action(async (reference: string, options: { version?: number; versions?: boolean; json?: boolean }) =>
      (await bodies()).showReportCommand(context, reference, options),
    );
  report
    .command('export')
    .description(
      'Print a report as a file that can be read without Warren: Markdown with tables instead of figures, or one page of HTML with its figures.',
    )
    .argument('<report>', 'number or id, or the address of a read-only link to it')
    .addOption(
      new Option('--format <name>', 'default: html for an output that ends in .html, else markdown').choices([
        'markdown',
        'html',
      ]),
    )
    .option('--version <n>', 'this version instead of the newest, with the runs of when it was saved', versionNumber())
    .option('--today', "show today's runs, also of an older version")
    .option('--output <file>', 'write it to this file')
    .action(async (reference: string, options: ExportReportOptions) =>
      (await import('./exportReport.ts')).exportReportCommand(context, reference, options),
    );
  report
    .command('save')
    .description('Make a report from a Markdown file, or a new version of a report.')
    .argument('<file>', 'the file')
    .option('--project <name>', 'the project of a new report')
    .option('--title <title>', 'title of the report (default for a new one: the first heading of the text)')
    .option('--report <report>', 'number or id of a report that gets a new version')
    .option('--based-on <n>', 'the version of it that you edited', wholeNumber('--based-on', 1, 100_000))
    .option('--json', 'print JSON')
    .action(
      async (
        file: string,
        options: { project?: string; title?: string; report?: string; basedOn?: number; json?: boolean },
      ) => (await bodies()).saveReportCommand(context, file, options),
    );
  report
    .command('delete')
    .description('Move a report into the trash.')
    .argument('<report>', 'number or id')
    .action(async (reference: string) => (await bodies()).deleteReportCommand(context, reference));
  report
    .command('restore')
    .description('Take a report out of the trash.')
    .argument('<report>', 'number or id')
    .action(async (reference: string) => (await bodies()).restoreReportCommand(context, reference));
}

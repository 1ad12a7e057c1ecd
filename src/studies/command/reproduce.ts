import { type Command, Option } from 'commander';
import { badInput } from '#src/base/contracts/errors.ts';
import { durationInSeconds } from '#src/base/terminal/arguments/amounts.ts';
import { parseSeeds } from '#src/base/terminal/arguments/seeds.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import type { ReproduceOptions } from './reproduceCommand.ts';

/** `--budget quick`, `paper`, or a span of time as minutes. */
function parseBudget(text: string): { budget: 'quick' | 'paper' } | { minutes: number } {
  const trimmed = text.trim();
  if (trimmed === 'quick' || trimmed === 'paper') return { budget: trimmed };
  if (!/^(?:\d{1,9}[smhdw])+$/.test(trimmed)) {
    throw badInput(`expected quick, paper, or a span of time such as 45m or 2h, not "${text}"`, '--budget');
  }
  return { minutes: durationInSeconds('--budget')(trimmed) / 60 };
}

/** `--audit 5%` or `0.05`, as a part from 0 to 1. */
function parseShare(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(text);
  const share = match === null ? Number.NaN : Number(match[1]) / (match[2] === '%' ? 100 : 1);
  if (share > 0 && share <= 1) return share;
  throw badInput(`expected a share such as 5% or 0.05, not "${text}"`, '--audit');
}

const collect = (text: string, before: string[] = []) => [...before, ...text.split(',').map((part) => part.trim())];

const HELP = `
Without a study it lists all of them. A study queues what it lacks: a finished run of the same configuration, seed and data serves
as it is. Rows and columns are chosen by their name, label or group, or by what their names have before the slash.

--budget quick     minutes on two cores; what is shortened for it is marked, and says nothing of the paper
--budget paper     the authors' settings
--budget 45m       until about so much computing is queued, in the order of the study: the paper's settings where they still fit,
                   else shortened ones. A run's time is that of the newest runs of its configuration, else the study's own word
                   for it, times how much longer runs of its kind have taken than that

Examples:
  warren reproduce
  warren reproduce overrec/table-2 --rows ml-1m --columns sknn,stan --wait
  warren reproduce sevo/table-3 --budget paper --seeds 1-5 --dry-run
  warren reproduce overrec/table-2 --show --format latex
  warren reproduce --export docs/reproductions.md`;

export function addReproduceCommand(program: Command, context: CommandContext): void {
  program
    .command('reproduce')
    .summary('run tables and figures of the papers, and compare with what is printed')
    .description('Run a table or a figure of a paper, and show what was measured beside what is printed.')
    .argument('[study]', 'such as overrec/table-2')
    .option('--rows <list>', 'only these rows', collect)
    .option('--columns <list>', 'only these columns', collect)
    .option('--seeds <list>', "instead of the study's: 1-5 or 1,2,7", parseSeeds)
    .option('--budget <budget>', 'quick, paper, or a span of time such as 45m (default quick)', parseBudget)
    .option('--fresh', 'run again what has finished')
    .option(
      '--audit <share>',
      'compute a share of what has finished again, such as 5%, and say what differs',
      parseShare,
    )
    .option('--project <name>', 'project of the new runs (default "reproductions")')
    .option('--dry-run', 'queue nothing; say which runs it would queue and how long they take')
    .option(
      '--key <words>',
      'by which this call is known: repeated with the same, it answers what it queued, and queues nothing',
    )
    .option('--show', 'queue nothing; show what was measured')
    .option('--wait', 'show progress until the runs have ended; exit code 1 where one failed or an audit differs')
    .addOption(new Option('--format <format>', 'print the study as a file').choices(['md', 'latex', 'csv', 'json']))
    .option(
      '--export <file>',
      'write all studies with runs to a file: .md or .json; of one study, its part of such a .md file',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (study: string | undefined, options: ReproduceOptions) => {
      const { reproduceCommand } = await import('./reproduceCommand.ts');
      await reproduceCommand(context, study, options);
    });
}

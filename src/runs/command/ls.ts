import { type Command, Option } from 'commander';
import { badInput } from '#src/base/contracts/errors.ts';
import { wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import { addWhichRuns, filterOf, type WhichRuns } from '#src/base/terminal/arguments/whichRuns.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

const HELP = `
The filter is a text, the same in API and dashboard:
  kind = overrec and dataset = "amazon-beauty" and metric."test/ndcg@10" > 0.02
  state in (FAILED, CANCELLED) or tag = baseline
  created >= 2026-11-21 and ended < 2026-11-21T18:00+02:00      times are UTC unless they say otherwise; -2d is two days ago
  config.dimension >= 64 and not name like "%try%"
  text.phase = "warm-up" or text.verdict ilike "%diverged%"        the newest text that a program logged under a name

Columns: number state name kind dataset seed project tags progress created started ended duration attempt priority id,
names of metrics (test/ndcg@10, loss) and of texts, and configuration paths (config.dimension).

Examples:
  warren ls
  warren ls --state FAILED,CRASHED --tag baseline
  warren ls 'kind = mf-bpr' --order -metric.test/ndcg@10 --limit 10
  warren ls --columns number,name,seed,config.dimension,test/ndcg@10
  warren ls 'state = FAILED' --json
  warren ls --view "best of each model" --limit 10
  warren ls --group-by optimizer.learningRate,dataset --metric test/ndcg@10 --baseline 3 --format latex`;

export function addLsCommand(program: Command, context: CommandContext): void {
  const ls = program.command('ls').argument('[filter]', 'which runs; all of them when left out');
  addWhichRuns(ls, 'which runs, as the argument')
    .summary('list runs')
    .description('List runs, newest first.')
    .option('--project <name>', 'only runs of this project')
    .option(
      '--order <by>',
      'order by created, duration, metric.NAME, config.PATH, text.NAME …; a minus before it turns it round',
      '-number',
    )
    .option('--columns <list>', 'columns, separated by commas')
    .option('--limit <n>', 'rows at most', wholeNumber('--limit', 1, 100_000), 50)
    .option('--trash', 'the deleted runs instead')
    .addOption(new Option('--bin', 'the name of --trash in earlier versions').implies({ trash: true }).hideHelp())
    .option(
      '--group-by <list>',
      'all matching runs in groups that share these fields, separated by commas: paths of parameters, kind, preset, dataset, tag, sweep, state, user, project, or configuration, which is all but the seed',
    )
    .option(
      '--metric <list>',
      'with --group-by: metrics to sum up, separated by commas; test/ndcg@10, or what the runs have, when left out',
    )
    .option(
      '--value <which>',
      'with --group-by: last or best value of each run, or a metric at whose best step it is',
      'last',
    )
    .option('--baseline <run>', 'with --group-by: a run of the group that the others are tested against')
    .addOption(
      new Option('--format <format>', 'with --group-by: how the table is written')
        .choices(['table', 'md', 'latex', 'csv', 'json'])
        .default('table'),
    )
    .option('--view <name>', 'as a view that was saved in the dashboard shows them; other options override it')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (given: string | undefined, flags, command: Command) => {
      const saved = flags.view === undefined ? null : await savedOptions(context, command, flags);
      const options = { ...flags, ...saved?.options };
      const filter = filterOf({ ...flags, filter: oneFilter(given, flags) ?? saved?.filter });
      if (options.groupBy === undefined) {
        const { listRuns } = await import('./listRuns.ts');
        await listRuns(context, { ...options, filter, viewColumns: saved?.columns });
      } else {
        const { listGroups } = await import('./listGroups.ts');
        await listGroups(context, { ...options, groupBy: options.groupBy, filter });
      }
    });
  program
    .command('views')
    .summary('list saved views of runs')
    .description('List the views of runs that were saved in the dashboard; `warren ls --view NAME` shows one.')
    .option('--project <name>', 'only those of this project')
    .option('--json', 'print JSON')
    .action(async (options: { project?: string; json?: boolean }) => {
      const { listSavedViews } = await import('./savedView.ts');
      await listSavedViews(context, options);
    });
}

/** The filter that was given, as the argument or as the option. */
function oneFilter(argument: string | undefined, { filter }: WhichRuns): string | undefined {
  if (argument !== undefined && filter !== undefined)
    throw badInput('give one filter: as the argument or as the option', '--filter');
  return argument ?? filter;
}

/** What the view says, without what the command line says itself. */
async function savedOptions(context: CommandContext, command: Command, flags: { view?: string; project?: string }) {
  const { viewOptions } = await import('./savedView.ts');
  const { filter, columns, ...said } = await viewOptions(context, { name: flags.view ?? '', project: flags.project });
  const options = Object.fromEntries(
    Object.entries(said).filter(([name, value]) => value !== undefined && command.getOptionValueSource(name) !== 'cli'),
  );
  return { filter, columns, options };
}

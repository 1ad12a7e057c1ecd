import { type Command, Option } from 'commander';
import { SPENDING_NAMES } from '#src/statistics/sequential/alphaSpending.ts';
import { LEAST_PAIRS, MOST_PAIRS } from '#src/statistics/sequential/sequentialDesign.ts';
import { part, wholeNumber } from '#src/base/terminal/arguments/amounts.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import type { CompareOptions } from './showComparison.ts';
import type { DecideOptions } from '#src/decisions/command/decideCommand.ts';

const EXAMPLES = `
Examples:
  warren compare 3 4 5
  warren compare 3 4 5 --metrics test/ndcg@10,test/hr@10
  warren compare 3 4 5 6 7 8 --paired test/ndcg@10 --baseline 6
  warren compare 3 6 --paired --per-user
  warren compare 3 4 5 6 --metrics test/ndcg@10 --paired --format latex
  warren compare 3 6 --decide test/ndcg@10 --alpha .05 --power .8 --at-most 20`;

export function addCompareCommand(program: Command, context: CommandContext): void {
  const compare = program
    .command('compare')
    .summary('compare runs side by side, and test which is better')
    .description(
      'Compare runs: what differs in their configurations, their metrics, replicates as mean ± sd (n); with --paired also whether a configuration is better than another; with --decide queue seeds of two until that is decided.',
    )
    .argument('<runs...>', 'numbers or ids of runs')
    .option('--metrics <list>', 'only these metrics, separated by commas')
    .option(
      '--paired [list]',
      'test each configuration against the baseline over the seeds that both have, in these metrics (without a list in the primary ones): paired t-test and Wilcoxon signed-rank test, with Holm correction',
    )
    .option(
      '--value <which>',
      'last or best value of each run, or a metric at whose best step it is; last is what stands for the metric in its run',
    )
    .option('--baseline <run>', 'with --paired: a run of the configuration to test against (default: the first run)')
    .option(
      '--per-user',
      'with --paired: pair users instead of seeds, by the results per user that ranking runs store; also metrics that nobody logged, such as test/ndcg@7 or test/length-5-9/hr@10',
    )
    .addOption(
      new Option(
        '--format <format>',
        'how the table is written: for the terminal, Markdown, LaTeX with booktabs, or CSV',
      )
        .choices(['table', 'md', 'latex', 'csv'])
        .default('table'),
    )
    .option('--json', 'print JSON');
  addDecideOptions(compare)
    .addHelpText('after', EXAMPLES)
    .action(async (runs: string[], options: CompareOptions & Partial<DecideOptions>) => {
      const { decide, ...rest } = options;
      if (decide === undefined) {
        const { showComparison } = await import('./showComparison.ts');
        await showComparison(context, runs, rest);
        return;
      }
      const { startDecision } = await import('#src/decisions/command/decideCommand.ts');
      await startDecision(context, runs, { ...rest, decide });
    });
}

function addDecideOptions(compare: Command): Command {
  return compare
    .option(
      '--decide <metric>',
      'queue pairs of runs of two configurations, seed by seed, until a sequential test decides',
    )
    .option(
      '--alpha <part>',
      'with --decide: chance of a false difference over all looks (default 0.05)',
      part('--alpha'),
    )
    .option('--power <part>', 'with --decide: chance to find the difference planned for (default 0.8)', part('--power'))
    .option('--at-most <n>', 'with --decide: pairs (default 20)', wholeNumber('--at-most', LEAST_PAIRS, MOST_PAIRS))
    .option('--every <n>', 'with --decide: pairs between looks (default 1)', wholeNumber('--every', 1, MOST_PAIRS))
    .addOption(new Option('--spending <name>', 'with --decide: how alpha is spent').choices(SPENDING_NAMES))
    .option('--first-seed <n>', 'with --decide: default 1', wholeNumber('--first-seed', 0, 2_000_000_000))
    .option(
      '--parallel <n>',
      'with --decide: pairs under way at once (default 1)',
      wholeNumber('--parallel', 1, MOST_PAIRS),
    )
    .option('--no-futility', 'with --decide: continue even when a difference can hardly be found any more')
    .option('--project <name>', "with --decide: project of the new runs (default: the first run's)")
    .option(
      '--key <words>',
      'with --decide: by which this call is known: repeated with the same, it answers what it started, and starts nothing',
    )
    .option('--no-wait', 'with --decide: start it and return');
}

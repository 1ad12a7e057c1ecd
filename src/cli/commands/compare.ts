import type { Command } from 'commander';
import type { CommandContext } from '../commandContext.ts';
import type { CompareOptions } from '../compare/showComparison.ts';

export function addCompareCommand(program: Command, context: CommandContext): void {
  program
    .command('compare')
    .summary('runs side by side')
    .description(
      'Compare runs: what differs in their configurations, their final metrics, replicates as mean ± sd (n); with --paired also whether a configuration is better than another.',
    )
    .argument('<runs...>', 'numbers or ids of runs')
    .option('--metrics <list>', 'only these metrics, separated by commas')
    .option(
      '--paired [list]',
      'test each configuration against the baseline over the seeds that both have, in these metrics (without a list in the primary ones): paired t-test and Wilcoxon signed-rank test, with Holm correction',
    )
    .option('--baseline <run>', 'with --paired: a run of the configuration to test against (default: the first run)')
    .option('--per-user', 'with --paired: pairs of users instead of seeds, by what ranking runs left of each user')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  warren compare 3 4 5\n  warren compare 3 4 5 --metrics test/ndcg@10,test/hr@10\n  warren compare 3 4 5 6 7 8 --paired test/ndcg@10 --baseline 6\n  warren compare 3 6 --paired --per-user',
    )
    .action(async (runs: string[], options: CompareOptions) => {
      const { showComparison } = await import('../compare/showComparison.ts');
      await showComparison(context, runs, options);
    });
}

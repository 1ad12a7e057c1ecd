import type { Command } from 'commander';
import { fetchComparison } from '../api/fetchComparison.ts';
import { parseRunId } from '../arguments/runId.ts';
import type { CommandContext } from '../commandContext.ts';
import { comparisonTable } from '../compare/comparisonTable.ts';

export function addCompareCommand(program: Command, context: CommandContext): void {
  program
    .command('compare')
    .summary('runs side by side')
    .description(
      'Compare runs: what differs in their configurations, their final metrics, replicates as mean ± sd (n).',
    )
    .argument('<runs...>', 'numbers or ids of runs')
    .option('--metrics <list>', 'only these metrics, separated by commas')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  warren compare 3 4 5\n  warren compare 3 4 5 --metrics test/ndcg@10,test/hr@10',
    )
    .action(async (runs: string[], options: { metrics?: string; json?: boolean }) => {
      const { terminal } = context;
      const comparison = await fetchComparison(await context.api(), runs.map(parseRunId));
      if (options.json === true) {
        const replacer = (_: string, value: unknown) =>
          typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
        terminal.print(JSON.stringify(comparison, replacer, 2));
        return;
      }
      const metrics =
        options.metrics === undefined ? {} : { metrics: options.metrics.split(',').map((name) => name.trim()) };
      terminal.print(
        comparisonTable(comparison, { colours: terminal.colours, width: terminal.width(), ...metrics }).join('\n'),
      );
      const ends = comparison.runs.filter((run) => run.state !== 'SUCCEEDED');
      if (ends.length > 0) {
        terminal.say(
          `warren: not ended well: ${ends.map((run) => `#${run.number} (${run.state.toLowerCase()})`).join(', ')}; replicates may leave them out`,
        );
      }
    });
}

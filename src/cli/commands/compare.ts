import type { Command } from 'commander';
import { badInput } from '#src/contracts/errors.ts';
import { type Comparison, fetchComparison } from '../api/fetchComparison.ts';
import { fetchPairedTests, type MetricTests } from '../api/fetchPairedTests.ts';
import { parseRunId } from '../arguments/runId.ts';
import type { CommandContext } from '../commandContext.ts';
import { comparisonTable } from '../compare/comparisonTable.ts';
import { pairedTestsTable } from '../compare/pairedTestsTable.ts';

interface CompareOptions {
  metrics?: string;
  /** True where no metric was named. */
  paired?: string | true;
  baseline?: string;
  perUser?: boolean;
  json?: boolean;
}

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
      const { terminal } = context;
      const paired = pairedQuery(options);
      const api = await context.api();
      const ids = runs.map(parseRunId);
      const comparison = await fetchComparison(api, ids);
      const tests = paired === null ? null : await fetchPairedTests(api, ids, paired);
      if (options.json === true) {
        const replacer = (_: string, value: unknown) =>
          typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
        terminal.print(
          JSON.stringify(tests === null ? comparison : { ...comparison, pairedTests: tests }, replacer, 2),
        );
        return;
      }
      const shown = options.metrics === undefined ? tests?.map(({ name }) => name) : list(options.metrics);
      const layout = { colours: terminal.colours, width: terminal.width() };
      terminal.print(
        comparisonTable(comparison, { ...layout, ...(shown === undefined ? {} : { metrics: shown }) }).join('\n'),
      );
      if (tests !== null) {
        const perUser = options.perUser === true;
        terminal.print(pairedTestsTable(comparison, tests, { ...layout, perUser }).join('\n'));
      }
      warnOfEnds(context, comparison, tests);
    });
}

function pairedQuery({ paired, baseline, perUser }: CompareOptions): Parameters<typeof fetchPairedTests>[2] | null {
  if (paired === undefined && baseline === undefined && perUser !== true) return null;
  const metrics = typeof paired === 'string' ? list(paired) : null;
  const run = metrics?.find((metric) => /^#?\d+$/.test(metric));
  if (run !== undefined) {
    throw badInput(`--paired: it takes names of metrics, received "${run}"; put the runs before it`, '--paired');
  }
  return {
    metrics,
    baseline: baseline === undefined ? null : parseRunId(baseline),
    perUser: perUser === true,
  };
}

function list(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

function warnOfEnds({ terminal }: CommandContext, { runs }: Comparison, tests: readonly MetricTests[] | null): void {
  const ends = runs.filter((run) => run.state !== 'SUCCEEDED');
  if (ends.length === 0) return;
  const consequence = tests === null ? 'replicates may leave them out' : 'tests leave them out';
  terminal.say(
    `warren: not ended well: ${ends.map((run) => `#${run.number} (${run.state.toLowerCase()})`).join(', ')}; ${consequence}`,
  );
}

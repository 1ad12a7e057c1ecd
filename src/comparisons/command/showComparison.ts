import { badInput } from '#src/base/contracts/errors.ts';
import { metricHints } from '#src/base/contracts/runFilter/filterHints.ts';
import {
  type Comparison,
  fetchComparison,
  fetchPairedTests,
  type MetricTests,
  type PairedTestsRequest,
} from './fetchComparison.ts';
import { valueChoice } from '#src/base/lib/valueRules.ts';
import { parseRunId } from '#src/base/terminal/arguments/runId.ts';
import { type TableFormat, writeGroupedTable } from '#src/base/lib/groupedTable.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { comparisonExport } from '#src/comparisons/comparisonExport.ts';
import { comparisonTable } from './comparisonTable.ts';
import { comparisonWarnings } from './comparisonWarnings.ts';
import { pairedTestsTable } from './pairedTestsTable.ts';

export interface CompareOptions {
  metrics?: string;
  /** True where no metric was named. */
  paired?: string | true;
  baseline?: string;
  /** `last`, `best`, or a metric at whose best step the values are. */
  value?: string;
  perUser?: boolean;
  format?: 'table' | TableFormat;
  json?: boolean;
}

/** The body of `warren compare`. */
export async function showComparison(
  context: CommandContext,
  runs: readonly string[],
  options: CompareOptions,
): Promise<void> {
  const { terminal } = context;
  const paired = pairedQuery(options);
  const api = await context.api();
  const ids = runs.map(parseRunId);
  const value = valueChoice(options.value ?? 'last');
  const comparison = await fetchComparison(api, ids, value);
  const tests = paired === null ? null : await fetchPairedTests(api, ids, { ...paired, ...value });
  if (options.json === true) {
    terminal.print(JSON.stringify(tests === null ? comparison : { ...comparison, pairedTests: tests }, null, 2));
    return;
  }
  const shown = options.metrics === undefined ? tests?.map(({ name }) => name) : list(options.metrics);
  const there = comparison.metrics.map(({ name }) => name);
  if (options.metrics !== undefined) {
    for (const hint of metricHints(shown ?? [], { metrics: there })) terminal.say(`warren: --metrics: ${hint}`);
  }
  if (options.format !== undefined && options.format !== 'table') {
    const metrics = shown ?? there.filter((name) => !name.startsWith('system/'));
    terminal.print(writeGroupedTable(comparisonExport(comparison, { metrics, tests }), options.format).trimEnd());
    warnOfEnds(context, comparison, tests);
    return;
  }
  const layout = { colours: terminal.colours, width: terminal.width() };
  terminal.print(
    comparisonTable(comparison, { ...layout, ...(shown === undefined ? {} : { metrics: shown }) }).join('\n'),
  );
  if (tests !== null) {
    const perUser = options.perUser === true;
    terminal.print(pairedTestsTable(comparison, tests, { ...layout, perUser }).join('\n'));
  }
  warnOfEnds(context, comparison, tests);
}

function pairedQuery({ paired, baseline, perUser }: CompareOptions): PairedTestsRequest | null {
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

function warnOfEnds({ terminal }: CommandContext, comparison: Comparison, tests: readonly MetricTests[] | null): void {
  for (const warning of comparisonWarnings(comparison, { tested: tests !== null })) terminal.say(`warren: ${warning}`);
}

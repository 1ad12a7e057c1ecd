import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { metricHints } from '#src/base/contracts/runFilter/filterHints.ts';
import { valueChoice } from '#src/base/lib/valueRules.ts';
import { writeGroupedTable } from '#src/base/lib/groupedTable.ts';
import { comparisonExport } from '#src/comparisons/comparisonExport.ts';
import { fetchComparison, fetchPairedTests } from '#src/comparisons/command/fetchComparison.ts';
import { comparisonWarnings } from '#src/comparisons/command/comparisonWarnings.ts';
import { testedMetric } from '#src/comparisons/command/pairedTestsTable.ts';
import { testsLegend } from '#src/statistics/testWords.ts';
import { runInput, runsInput, valueInput } from '#src/base/tools/inputs.ts';
import { markdownTable, paragraphs } from '#src/base/tools/markdown.ts';
import { defineTool } from '#src/base/tools/tool.ts';

const MOST_FIELDS = 30;

export const compareRuns = defineTool({
  name: 'compare_runs',
  title: 'Compare and test runs',
  description:
    'Is one configuration better than another? Give all seeds of each: runs that share a configuration are its replicates. Answers mean ± standard deviation, in what the configurations differ, and for each against the baseline: verdict at 5 %, difference with its 95 % interval, p of the paired t-test over shared seeds, or with perUser of a mixed model of seeds and users, before and after Holm’s correction over all that is tested. "These two trained models differ" says nothing of the methods: give three seeds of each. Says "not comparable, because …" where data, splits or rules differ: then do not report a difference.',
  effect: 'reads',
  input: z.strictObject({
    runs: runsInput(200),
    metrics: z
      .array(z.string())
      .min(1)
      .max(20)
      .optional()
      .describe('To test; the primary ones of the kinds when left out'),
    value: valueInput,
    baseline: runInput.optional().describe('A run of the configuration to test against; the first run when left out'),
    perUser: z
      .boolean()
      .default(false)
      .describe(
        'Test over users, for ranking runs of Warren, and with three seeds of each over seeds as well, which is what a claim about methods needs; also for metrics that nobody logged, such as test/ndcg@7 or test/length-1-4/hr@10',
      ),
  }),
  async answer({ api }, { runs: ids, metrics, value, baseline, perUser }) {
    if (new Set(ids).size < 2) throw badInput('one run cannot be compared: give at least two', 'runs');
    const comparison = await fetchComparison(api, ids, valueChoice(value));
    const request = { ...valueChoice(value), metrics: metrics ?? null, baseline: baseline ?? null, perUser };
    const tests = await fetchPairedTests(api, ids, request);
    const there = comparison.metrics.map(({ name }) => name);
    const shown = metrics ?? tests.map(({ name }) => name);
    const hints = perUser ? [] : metricHints(metrics ?? [], { metrics: there });
    const table = comparisonExport(comparison, { metrics: shown.filter((name) => there.includes(name)), tests });
    const tested = tests.map((metric) => testedMetric(comparison, metric));
    const warnings = comparisonWarnings(comparison, { tested: true });
    const differing = comparison.fields.filter(({ differs, path }) => differs && path !== 'seed');
    return {
      text: paragraphs(
        warnings.map((warning) => `**${warning}**`).join('\n'),
        writeGroupedTable(table, 'md').trimEnd(),
        ...tested.flatMap(({ name, about, columns, rows, reasons }) => [
          `**${name}**, ${about}`,
          rows.length === 0
            ? null
            : markdownTable(
                columns.map(({ header }) => header),
                rows,
              ),
          reasons.join('\n'),
        ]),
        tested.length === 0 ? 'Nothing was tested: name metrics.' : testsLegend(perUser),
        hints.join('\n'),
      ),
      data: {
        notComparable: comparison.notComparable,
        runs: comparison.runs.map(({ number, name, seed, state }) => ({ number, name, seed, state })),
        differences: differing.slice(0, MOST_FIELDS).map(({ path, values }) => ({ path, values })),
        groups: comparison.groups.map(({ configuration, runIds, metrics: of }) => ({
          configuration: configuration.hash,
          runs: comparison.runs.filter(({ id }) => runIds.includes(id)).map(({ number }) => number),
          metrics: of.filter(({ name }) => shown.includes(name)),
        })),
        tests,
      },
    };
  },
});

import type { GroupedTable, TableStatistics } from '#src/base/lib/groupedTable.ts';
import { ruledName } from '#src/base/lib/valueRules.ts';
import { printable } from '#src/base/lib/printable.ts';
import { type TestedOf, verdictOf } from '#src/statistics/verdict.ts';
import type { MetricValue } from '#src/base/lib/metricValue.ts';
import { groupName, type NamedComparison } from './groupName.ts';

interface TabledComparison extends NamedComparison {
  metrics: readonly { name: string; rules: readonly string[] }[];
  groups: readonly (NamedComparison['groups'][number] & {
    metrics: readonly {
      name: string;
      direction?: 'higher' | 'lower' | null;
      mean: MetricValue;
      standardDeviation?: MetricValue | null;
      n: number;
    }[];
  })[];
}

interface TabledTests {
  name: string;
  tests: readonly {
    configurationHash: string;
    test: { difference: MetricValue; p: number } | null;
    pHolm: number | null;
    about: TestedOf;
  }[];
}

/**
 * The comparison as a table for a paper: a row a configuration with the fields that differ, its metrics as mean and standard
 * deviation, and verdicts where tests were made.
 * @param metrics Names, in their order.
 */
export function comparisonExport(
  comparison: TabledComparison,
  { metrics, tests }: { metrics: readonly string[]; tests: readonly TabledTests[] | null },
): GroupedTable {
  const { runs, fields, groups } = comparison;
  const differing = fields.filter((field) => field.differs && field.path !== 'seed');
  const means = metrics.map((name) =>
    groups.map((group) => {
      const found = group.metrics.find((metric) => metric.name === name);
      return found === undefined ? null : Number(found.mean);
    }),
  );
  const rows = groups.map((group, row) => {
    const first = runs.findIndex((run) => run.id === group.runIds[0]);
    const values = metrics.map((name, column): TableStatistics => {
      const found = group.metrics.find((metric) => metric.name === name);
      const direction = found?.direction ?? null;
      const tested = tests?.find((one) => one.name === name)?.tests;
      const test = tested?.find((one) => one.configurationHash === group.configuration.hash) ?? null;
      const p = test?.test == null ? null : (test.pHolm ?? test.test.p);
      const verdict =
        test?.test == null || p === null
          ? null
          : verdictOf({ difference: Number(test.test.difference), p, direction, about: test.about });
      const deviation = found?.standardDeviation == null ? null : Number(found.standardDeviation);
      return {
        n: found?.n ?? 0,
        mean: means[column]![row]!,
        standardDeviation: deviation,
        standardError: deviation === null ? null : deviation / Math.sqrt(found!.n),
        low: null,
        high: null,
        minimum: null,
        maximum: null,
        isBest: direction !== null && isBest(means[column]!, row, direction),
        verdict,
        p,
      };
    });
    const cells = [groupName(comparison, group), ...differing.map((field) => cellText(field.values[first]))];
    return { cells, runs: group.runIds.length, metrics: values };
  });
  const heads = ['configuration', ...differing.map(({ path }) => path.replace(/^parameters\./, ''))];
  const ruled = metrics.map((name) =>
    ruledName(name, comparison.metrics.find((metric) => metric.name === name)?.rules ?? []),
  );
  return { heads, metrics: ruled, rows, tested: tests !== null };
}

function isBest(means: readonly (number | null)[], row: number, direction: 'higher' | 'lower'): boolean {
  const finite = means.filter((mean): mean is number => mean !== null && Number.isFinite(mean));
  if (new Set(finite).size < 2) return false;
  return means[row] === (direction === 'higher' ? Math.max(...finite) : Math.min(...finite));
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

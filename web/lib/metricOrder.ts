import { compareHeadlines } from '#src/base/lib/headlineMetrics.ts';

type Compare = (a: string, b: string) => number;

/**
 * The one order in which pages list metrics: the first of the names that is a primary metric of a kind, then what tells most
 * of a run, `@5` before `@10`, times and system metrics last.
 */
export function metricOrder(names: Iterable<string>, primary: ReadonlySet<string>): Compare {
  for (const name of names) if (primary.has(name)) return compareHeadlines(name);
  return compareHeadlines(null);
}

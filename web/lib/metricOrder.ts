const collator = new Intl.Collator('en', { numeric: true });
/** What tells of the machine stands after what tells of the model. */
const LAST_PREFIXES = ['time/', 'system/'];

/**
 * Order in which metrics are listed: those of the whole before those of parts (`test/ndcg@10` before
 * `test/rare/ndcg@10`), `@5` before `@10`, times and system metrics last.
 */
export function compareMetricNames(a: string, b: string): number {
  return rank(a) - rank(b) || depth(a) - depth(b) || collator.compare(a, b);
}

/** The same order, but that the primary metrics of kinds stand before all others. */
export function primaryFirst(primary: ReadonlySet<string>): (a: string, b: string) => number {
  return (a, b) => Number(primary.has(b)) - Number(primary.has(a)) || compareMetricNames(a, b);
}

function rank(name: string): number {
  return LAST_PREFIXES.findIndex((prefix) => name.startsWith(prefix));
}

function depth(name: string): number {
  return name.split('/').length;
}

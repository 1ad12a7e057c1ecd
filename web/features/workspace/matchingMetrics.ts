/** The metrics of a name in which `*` stands for anything; the name itself where there are none. */
export function matchingMetrics(name: string, metrics: readonly string[]): readonly string[] {
  if (!name.includes('*') || metrics.includes(name)) return [name];
  const pattern = new RegExp(`^${name.split('*').map(escapeRegExp).join('.*')}$`, 's');
  const found = metrics.filter((metric) => pattern.test(metric));
  return found.length === 0 ? [name] : found;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Members of an ECharts option that open addresses, make elements of the page, or write HTML into it. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['link', 'sublink', 'target', 'subtarget', 'toolbox', 'appendTo', 'appendToBody', 'className', 'extraCssText'],
  ...['graphic', 'geo', 'map', 'renderMode', 'formatter', 'valueFormatter', 'aria', 'media'],
]);
const MOST_DEPTH = 30;

/**
 * An uploaded ECharts option that draws on its canvas and does nothing else: without links, HTML, and pictures from anywhere.
 * @throws Error where it is no object.
 */
export function safeOption(option: unknown): Record<string, unknown> {
  if (typeof option !== 'object' || option === null || Array.isArray(option)) throw new Error('it is not an object');
  const safe = Object(cleaned(option, 0));
  return { ...safe, tooltip: { ...Object(safe.tooltip), renderMode: 'richText' }, animation: false };
}

function cleaned(value: unknown, depth: number): unknown {
  if (depth > MOST_DEPTH) return null;
  // `image://address` and `path://…` name symbols; paths are drawn, addresses would be fetched
  if (typeof value === 'string') return /^\s*image:/i.test(value) ? 'circle' : value;
  if (Array.isArray(value)) return value.map((member) => cleaned(member, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  // an object { image: address } is a pattern to fill with
  if ('image' in value) return null;
  const members = Object.entries(value).filter(([name]) => !DROPPED.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, cleaned(member, depth + 1)]));
}

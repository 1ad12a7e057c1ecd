/** A configuration value in one line: strings bare, lists and objects as JSON, absent as an en dash. */
export function formatValue(value: unknown): string {
  if (value === undefined) return '–';
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '–';
}

const LONGEST = 80;

/** A value of a caller as an error shows it: as JSON, and no more of it than is needed to find it. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  if (text === undefined) return typeof value;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

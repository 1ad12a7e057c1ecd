/** `text` with at most about `most` characters: of a longer one the beginning and the end, and how much is left out between. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor(most / 4);
  const left = text.length - most;
  return `${text.slice(0, most - end)} … ${left} characters left out … ${text.slice(-end)}`;
}

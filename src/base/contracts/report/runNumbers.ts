const MOST = 200;
const LARGEST = 999_999_999;

/** Numbers of runs as people write them, `12, #14, 20-25`: in that order, each once, 200 at most; or what is wrong. */
export function parseRunNumbers(text: string): number[] | { problem: string } {
  const numbers = new Set<number>();
  const parts = text
    .replace(/\s*[-–]\s*/g, '-')
    .split(/[\s,]+/)
    .filter((part) => part !== '');
  if (parts.length === 0) return { problem: 'give the number of at least one run, such as 12 or 12-15' };
  for (const part of parts) {
    const match = /^#?(\d{1,9})(?:-#?(\d{1,9}))?$/.exec(part);
    if (match === null) {
      return { problem: `“${part.slice(0, 40)}” is neither the number of a run nor a range such as 12-15` };
    }
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last < first || last > LARGEST) return { problem: `the range “${part}” runs backwards` };
    if (numbers.size + last - first + 1 > MOST) return { problem: `at most ${MOST} runs` };
    for (let number = first; number <= last; number += 1) numbers.add(number);
  }
  return [...numbers];
}

/** Numbers that are listed one by one in a filter. */
const MOST_LISTED = 500;
/** From so many on, consecutive numbers are a range. */
const SHORTEST_RANGE = 3;

/** The condition of the filter language that the runs of these numbers meet; of none, one that no run meets. */
export function numbersFilter(numbers: readonly number[]): string {
  if (numbers.length === 0) return 'number = 0';
  if (numbers.length <= MOST_LISTED) return `number in (${numbers.join(', ')})`;
  const ordered = [...new Set(numbers)].sort((one, other) => one - other);
  const single: number[] = [];
  const ranges: string[] = [];
  for (let from = 0, to = 0; from < ordered.length; from = to) {
    to = from + 1;
    while (ordered[to] === ordered[to - 1]! + 1) to += 1;
    if (to - from < SHORTEST_RANGE) single.push(...ordered.slice(from, to));
    else ranges.push(`(number >= ${ordered[from]} and number <= ${ordered[to - 1]})`);
  }
  for (let from = 0; from < single.length; from += MOST_LISTED) {
    ranges.push(`number in (${single.slice(from, from + MOST_LISTED).join(', ')})`);
  }
  return ranges.length === 1 ? ranges[0]! : `(${ranges.join(' or ')})`;
}

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

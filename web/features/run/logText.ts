import type { LogLine } from './logFeed.ts';

/** Log lines as a text file: time, level, text; the attempt, too, where there were several. */
export function logText(lines: readonly LogLine[]): string {
  const several = new Set(lines.map(({ attempt }) => attempt)).size > 1;
  return lines
    .map(({ time, attempt, level, text }) => `${time}${several ? ` attempt ${attempt}` : ''} ${level} ${text}\n`)
    .join('');
}

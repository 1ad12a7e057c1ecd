import { badInput } from '#src/base/contracts/errors.ts';
import { durationInSeconds } from '#src/base/terminal/arguments/amounts.ts';

/** `--budget quick`, `paper`, or a span of time as minutes. */
export function parseBudget(text: string): { budget: 'quick' | 'paper' } | { minutes: number } {
  const trimmed = text.trim();
  if (trimmed === 'quick' || trimmed === 'paper') return { budget: trimmed };
  if (!/^(?:\d{1,9}[smhdw])+$/.test(trimmed)) {
    throw badInput(`expected quick, paper, or a span of time such as 45m or 2h, not "${text}"`, '--budget');
  }
  return { minutes: durationInSeconds('--budget')(trimmed) / 60 };
}

/** `--audit 5%` or `0.05`, as a part from 0 to 1. */
export function parseShare(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(text);
  const share = match === null ? Number.NaN : Number(match[1]) / (match[2] === '%' ? 100 : 1);
  if (share > 0 && share <= 1) return share;
  throw badInput(`expected a share such as 5% or 0.05, not "${text}"`, '--audit');
}

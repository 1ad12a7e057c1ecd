import { expect, test, vi } from 'vitest';
import type { LogLine } from '#web/features/run/logFeed.ts';

const TOTAL = 450_000;
const lineOf = (line: number) => ({ attempt: 1, line, level: 'info', text: `${line}`, time: '2026-11-27T00:00:00Z' });
const pageOf = (from: number, to: number) => ({
  lines: Array.from({ length: to - from }, (_, index) => lineOf(from + index)),
  cursor: String(to),
  hasMore: to < TOTAL,
});
let appended: (page: unknown) => void = () => {};

vi.mock('#web/api/request.ts', () => ({
  async request(_document: unknown, asked: { after?: string | null; first?: number; last?: number }) {
    if (asked.last !== undefined) return { logs: pageOf(TOTAL - asked.last, TOTAL) };
    const from = Number(asked.after ?? 0);
    return { logs: pageOf(from, Math.min(TOTAL, from + (asked.first ?? 1000))) };
  },
}));
vi.mock('#web/api/subscribe.ts', () => ({
  subscribe(_document: unknown, _variables: unknown, { onData }: { onData: (data: unknown) => void }) {
    appended = (page) => onData({ logAppended: page });
    return () => {};
  },
}));
vi.mock('#web/api/connection.ts', () => ({ onReturn: () => () => {} }));

const { startLogFeed, LAST_LOG_LINES, MAXIMUM_LOG_LINES, withGap } = await import('#web/features/run/logFeed.ts');

test('of a very long log the page has the first lines and the last ones, and those that follow', async () => {
  let lines: readonly LogLine[] = [];
  let phase = '';
  const stop = startLogFeed('run', true, (state) => {
    ({ lines, phase } = state);
  });
  await vi.waitFor(() => expect(phase).toBe('full'), { timeout: 10_000 });
  await vi.waitFor(() => expect(lines).toHaveLength(MAXIMUM_LOG_LINES + LAST_LOG_LINES));
  expect(lines[MAXIMUM_LOG_LINES - 1]?.line).toBe(MAXIMUM_LOG_LINES - 1);
  expect(lines.at(-1)?.line).toBe(TOTAL - 1);
  await vi.waitFor(() => {
    appended({ lines: [lineOf(TOTAL)], cursor: String(TOTAL + 1), hasMore: false });
    expect(lines.at(-1)?.line).toBe(TOTAL);
  });
  expect(lines).toHaveLength(MAXIMUM_LOG_LINES + LAST_LOG_LINES);
  const shown = withGap(lines);
  expect(shown).toHaveLength(lines.length + 1);
  expect(shown[MAXIMUM_LOG_LINES]?.text).toContain('are not shown here');
  expect(shown[MAXIMUM_LOG_LINES + 1]).toBe(lines[MAXIMUM_LOG_LINES]);
  const whole = Array.from({ length: MAXIMUM_LOG_LINES + 9 }, (_, line) => ({ ...lines[0]!, line }));
  expect(withGap(whole)).toBe(whole);
  stop();
});

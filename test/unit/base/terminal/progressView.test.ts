import { describe, expect, it } from 'vitest';
import { createColours } from '#src/base/terminal/colours.ts';
import { createProgressView, type ProgressRow, pictureLines, progressBar } from '#src/base/terminal/progressView.ts';
import { textWidth } from '#src/base/terminal/textWidth.ts';

const row = (id: string, state: ProgressRow['state'], fraction: number | null, message = ''): ProgressRow => ({
  id,
  label: `#${id} run`,
  state,
  fraction,
  message,
});

function capture(shape: { isTTY: boolean; columns?: number; rows?: number }) {
  const written: string[] = [];
  return { written, output: { ...shape, write: (text: string) => written.push(text) } };
}

describe('createProgressView without a terminal', () => {
  it('prints a line for each change of state and each tenth of the way, and nothing else', () => {
    const { written, output } = capture({ isTTY: false });
    const view = createProgressView(output, {});
    view.update([row('1', 'QUEUED', 0)]);
    view.update([row('1', 'QUEUED', 0)]);
    for (let percent = 0; percent <= 30; percent++) view.update([row('1', 'RUNNING', percent / 100)]);
    view.update([row('1', 'SUCCEEDED', 1, '2.0 s')]);
    expect(written.map((line) => line.trim())).toEqual([
      '#1 run  queued',
      '#1 run  running   0 %',
      '#1 run  running  10 %',
      '#1 run  running  20 %',
      '#1 run  running  30 %',
      '#1 run  succeeded  2.0 s',
    ]);
  });
});

it('says no percentage of a run that tells none', () => {
  const { written, output } = capture({ isTTY: false });
  const view = createProgressView(output, {});
  view.update([row('1', 'RUNNING', null)]);
  view.update([row('1', 'RUNNING', 0.1)]);
  expect(written.map((line) => line.trim())).toEqual(['#1 run  running', '#1 run  running  10 %']);
});

describe('createProgressView on a terminal', () => {
  it('draws over its last picture', () => {
    const { written, output } = capture({ isTTY: true, columns: 80, rows: 24 });
    const view = createProgressView(output, { NO_COLOR: '1' });
    view.update([row('1', 'QUEUED', 0), row('2', 'QUEUED', 0)]);
    view.update([row('1', 'RUNNING', 0.5), row('2', 'QUEUED', 0)]);
    view.finish();
    view.update([]);
    expect(written).toHaveLength(2);
    expect(written[0]).not.toContain('\u001b');
    expect(written[1]!.startsWith('\u001b[2A\r\u001b[J')).toBe(true);
  });
});

describe('pictureLines', () => {
  const plain = createColours(false);

  it('keeps within the screen, with those that run first and the rest counted', () => {
    const rows = Array.from({ length: 50 }, (_, index) =>
      row(String(index), index === 40 ? 'RUNNING' : 'QUEUED', 0, 'x'.repeat(200)),
    );
    const lines = pictureLines(rows, plain, { columns: 60, rows: 10 });
    expect(lines).toHaveLength(8);
    expect(lines[0]).toContain('#40 run');
    expect(lines.at(-1)).toBe('… 50 runs in all, 0 ended');
    for (const line of lines) expect(textWidth(line)).toBeLessThan(60);
  });

  it('survives fractions that are none', () => {
    expect(progressBar(Number.NaN, 4)).toBe('░░░░');
    expect(progressBar(2, 4)).toBe('████');
    expect(progressBar(0.5, 4)).toBe('██░░');
  });
});

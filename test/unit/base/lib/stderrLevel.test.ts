import { expect, test } from 'vitest';
import { StderrLevels } from '#src/base/lib/stderrLevel.ts';
import { STDERR_LINES, TRACEBACK } from '#test/integration/support/stderrLines.ts';

test.each(STDERR_LINES)('%s is %s', (line, level) => {
  expect(new StderrLevels().levelOf(line)).toBe(level);
});

test('all lines of a traceback are an error, and what comes after is not', () => {
  const levels = new StderrLevels();
  expect(TRACEBACK.map((line) => levels.levelOf(line))).toEqual(TRACEBACK.map(() => 'error'));
  expect(levels.levelOf('100%|██████████| 9/9')).toBe('info');
  expect(levels.levelOf('  set in')).toBe('info');
});

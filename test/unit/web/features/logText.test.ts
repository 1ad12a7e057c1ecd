import { expect, it } from 'vitest';
import { logText } from '#web/features/run/logText.ts';

const line = (attempt: number, text: string) => ({
  ...{ attempt, line: 1, level: 'info' as const, text },
  time: '2026-11-27T22:51:06.000Z',
});

it('a log is saved line by line, with attempts where there were several', () => {
  expect(logText([line(1, 'epoch 0'), line(1, 'epoch 1')])).toBe(
    '2026-11-27T22:51:06.000Z info epoch 0\n2026-11-27T22:51:06.000Z info epoch 1\n',
  );
  expect(logText([line(1, 'lost'), line(2, 'again')]).split('\n')).toEqual([
    ...['2026-11-27T22:51:06.000Z attempt 1 info lost', '2026-11-27T22:51:06.000Z attempt 2 info again', ''],
  ]);
});

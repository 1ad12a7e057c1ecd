import { expect, test } from 'vitest';
import { createCommandContext } from '#src/base/terminal/commandContext.ts';
import { runCommandLine } from '#src/cli/runCommandLine.ts';
import { capturedSurroundings } from '#test/integration/support/capturedSurroundings.ts';

/** What a command prints that finds these variables around it, and its exit code. */
async function called(words: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const around = capturedSurroundings(words, variables);
  const code = await runCommandLine(createCommandContext(around));
  return { code, stdout: around.stdout(), stderr: around.stderr() };
}

test('a command prints into the streams that it is given, and answers its exit code', async () => {
  expect(await called(['--version'])).toEqual({ code: 0, stdout: expect.stringMatching(/^\d/), stderr: '' });
  expect(await called(['help', 'sweep'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: warren') });
  expect(await called(['show', 'twelve'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^warren: "twelve" is not/),
  });
});

test('a command reads the variables that it is given, and no others', async () => {
  const away = { WARREN_API_URL: 'http://127.0.0.1:9', WARREN_HOME: '/nowhere' };
  expect(await called(['ls'], away)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^warren: no Warren answers at http:.*:9/),
  });
  expect((await called(['ls'], { WARREN_PORT: 'x' })).stderr).toMatch(/^warren: WARREN_PORT: /);
});

test('the first signal interrupts a command, and a second one ends it at once, with the exit code of the first', async () => {
  const around = capturedSurroundings([], {});
  const context = createCommandContext(around);
  const { now } = Date;
  try {
    const interruption = context.catchInterruption();
    around.signals.emit('SIGTERM', 'SIGTERM');
    expect([interruption.signal.aborted, interruption.exitCode()]).toEqual([true, 143]);
    around.signals.emit('SIGINT', 'SIGINT');
    Date.now = () => now() + 60_000;
    around.signals.emit('SIGINT', 'SIGINT');
    expect(await around.exited).toBe(143);
    interruption.release();
    expect(around.signals.listenerCount('SIGINT')).toBe(0);
  } finally {
    Date.now = now;
  }
});

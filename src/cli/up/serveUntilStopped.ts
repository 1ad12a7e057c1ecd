import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { type Stack, type StackOptions, startStack } from './startStack.ts';

export interface ServeOptions {
  stack: StackOptions;
  say(line: string): void;
  /**
   * What is to be done once everything runs; `end` stops it all afterwards, `serve` keeps it until a signal comes. The
   * signal given is aborted by Ctrl-C; what is thrown after that is not looked at.
   */
  onStarted(stack: Stack, signal: AbortSignal): Promise<'serve' | 'end'>;
}

/**
 * Starts everything, does `onStarted`, and stops everything: after the first SIGINT, SIGTERM or SIGHUP in order, after a
 * second one at once. Sets exit code 1 when a part could run no more. A stop that was asked for is exit code 0.
 */
export async function serveUntilStopped(context: CommandContext, options: ServeOptions): Promise<void> {
  const { say } = options;
  let stack: Stack | null = null;
  const interruption = context.catchInterruption(() => {
    say('stopping at once');
    stack?.kill();
  });
  const interrupted = new Promise<'interrupted'>((resolve) => {
    interruption.signal.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
  try {
    stack = await startStack(options.stack);
    const broken = stack.broken.then((how) => ({ how }));
    const work = options.onStarted(stack, interruption.signal);
    work.catch(() => {}); // looked at below, unless a signal comes first
    let end: 'interrupted' | 'serve' | 'end' | { how: string } = interruption.signal.aborted
      ? 'interrupted'
      : await Promise.race([work, interrupted, broken]);
    if (end === 'serve') end = await Promise.race([interrupted, broken]);
    if (typeof end === 'object') {
      say(`${end.how}; stopping the rest`);
      context.exitCode = EXIT_FAILED;
    }
    if (end === 'interrupted') say('stopping; once more stops at once');
  } finally {
    await stack?.stop();
    interruption.release();
  }
}

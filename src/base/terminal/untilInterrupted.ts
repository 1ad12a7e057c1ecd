import type { CommandContext } from './commandContext.ts';

/**
 * Does work that the first Ctrl-C gives up in order and the second one at once. What is thrown after the first is not told:
 * the exit code says why.
 */
export async function untilInterrupted(
  context: CommandContext,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const interruption = context.catchInterruption();
  try {
    await work(interruption.signal);
  } catch (thrown) {
    if (!interruption.signal.aborted) throw thrown;
    context.exitCode = interruption.exitCode();
  } finally {
    interruption.release();
  }
}

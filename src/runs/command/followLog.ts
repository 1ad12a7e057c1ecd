import { setTimeout as delay } from 'node:timers/promises';
import { printable } from '#src/base/lib/printable.ts';
import { isFinal } from '#src/base/contracts/runState.ts';
import { fetchLastLogLines, fetchLogs, LOG_PAGE, type LogLine } from './fetchLogs.ts';
import { fetchRuns } from './fetchRuns.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import type { Colours } from '#src/base/terminal/colours.ts';

/**
 * The body of `warren logs` and `warren show --logs`: prints what there is, or its last `lines`, and with `follow` what comes until
 * the run has ended.
 */
export async function printLog(
  context: CommandContext,
  id: string,
  { follow, lines }: { follow: boolean; lines?: number | undefined },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const print = (some: readonly LogLine[]) => {
    for (const line of some) terminal.print(formatLogLine(line, terminal.colours));
  };
  let after: string | null = null;
  for (let skips = lines !== undefined; ; skips = false) {
    // The state is read before the log: lines written before the end are then surely seen.
    const [run] = await fetchRuns(api, [id]);
    if (run === undefined) return;
    if (skips) {
      const last = await fetchLastLogLines(api, run.id, lines ?? LOG_PAGE);
      print(last.lines);
      after = last.cursor;
    }
    for (;;) {
      const page = await fetchLogs(api, run.id, after);
      print(page.lines);
      after = page.cursor ?? after;
      if (!page.hasMore) break;
    }
    if (isFinal(run.state) || !follow) return;
    await delay(TIMING.pollMs);
  }
}

/** `10:20:30 warn  text`; the level is coloured where it matters. */
export function formatLogLine(line: LogLine, colours: Colours): string {
  const level = line.level.padEnd(5);
  const coloured = { debug: colours.dim, info: (text: string) => text, warn: colours.yellow, error: colours.red }[
    line.level
  ](level);
  return `${colours.dim(new Date(line.time).toTimeString().slice(0, 8))} ${coloured} ${printable(line.text)}`;
}

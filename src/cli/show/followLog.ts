import { setTimeout as delay } from 'node:timers/promises';
import { printable } from '#src/lib/printable.ts';
import { isFinal } from '#src/contracts/runState.ts';
import { fetchLogs, type LogLine } from '../api/fetchLogs.ts';
import { fetchRuns } from '../api/fetchRuns.ts';
import type { CommandContext } from '../commandContext.ts';
import type { Colours } from '../terminal/colours.ts';

const POLL_MS = 500;

/** The body of `warren show --logs`: prints what there is and what comes, until the run has ended. */
export async function followLog(context: CommandContext, id: string): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  let after: string | null = null;
  for (;;) {
    // The state is read before the log: lines written before the end are then surely seen.
    const [run] = await fetchRuns(api, [id]);
    if (run === undefined) return;
    for (;;) {
      const page = await fetchLogs(api, run.id, after);
      for (const line of page.lines) terminal.print(formatLogLine(line, terminal.colours));
      after = page.cursor ?? after;
      if (!page.hasMore) break;
    }
    if (isFinal(run.state)) return;
    await delay(POLL_MS);
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

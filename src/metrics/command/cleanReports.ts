import { RemoveOldLogsDocument, ThinPointsDocument } from '#src/generated/api.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { counted } from '#src/base/terminal/counted.ts';

interface Cleaning {
  olderThanDays: number;
  dryRun: boolean;
  json: boolean;
}

/** The body of `warren clean --logs`: asks the API again until nothing is left to remove. */
export async function cleanLogs(context: CommandContext, { olderThanDays, dryRun, json }: Cleaning): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const total = { runs: 0, lines: 0, bytes: 0 };
  for (let more = true; more; ) {
    const { removeOldLogs } = await api.request(RemoveOldLogsDocument, { olderThanDays, dryRun });
    total.runs += removeOldLogs.runs;
    total.lines += removeOldLogs.lines;
    total.bytes += removeOldLogs.bytes;
    more = removeOldLogs.more;
  }
  const { runs, lines, bytes } = total;
  if (json) terminal.print(JSON.stringify({ dryRun, ...total }, null, 2));
  else if (lines === 0) terminal.print('Nothing to remove: no run that ended so long ago has a long log.');
  else {
    const what = `${counted(lines, 'line')} of the logs of ${counted(runs, 'run')}, ${formatBytes(bytes)} of text`;
    terminal.print(`${dryRun ? 'Would be removed' : 'Removed'}: ${what}`);
  }
}

/** The body of `warren clean --points`: asks the API again until nothing is left to thin. */
export async function cleanPoints(
  context: CommandContext,
  { olderThanDays, keep, dryRun, json }: Cleaning & { keep: number },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const total = { series: 0, points: 0 };
  for (let more = true; more; ) {
    const { thinPoints } = await api.request(ThinPointsDocument, { olderThanDays, keep, dryRun });
    total.series += thinPoints.series;
    total.points += thinPoints.points;
    more = thinPoints.more;
  }
  const { series, points } = total;
  if (json) terminal.print(JSON.stringify({ dryRun, ...total }, null, 2));
  else if (series === 0)
    terminal.print(`Nothing to thin: no curve of a run that ended so long ago has more than ${keep} points.`);
  else if (dryRun)
    terminal.print(`Would be removed: at least ${counted(points, 'point')} of ${counted(series, 'curve')}`);
  else terminal.print(`Removed: ${counted(points, 'point')} of ${counted(series, 'curve')}`);
}

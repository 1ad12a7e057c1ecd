import { RemoveCheckpointsDocument } from '#src/generated/api.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { counted } from '#src/base/terminal/counted.ts';

/** The body of `warren clean --checkpoints`. */
export async function cleanCheckpoints(
  context: CommandContext,
  { olderThanDays, dryRun, json }: { olderThanDays: number; dryRun: boolean; json: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const { removeCheckpoints } = await api.request(RemoveCheckpointsDocument, { olderThanDays, dryRun });
  const { runs, files, bytes } = removeCheckpoints;
  if (json) terminal.print(JSON.stringify({ dryRun, runs, files, bytes }, null, 2));
  else if (files === 0) terminal.print('Nothing to remove: no run that ended so long ago has a checkpoint.');
  else {
    const what = `${counted(files, 'checkpoint')} of ${counted(runs, 'run')}, ${formatBytes(bytes)}`;
    terminal.print(`${dryRun ? 'Would be removed' : 'Removed'}: ${what}`);
  }
}

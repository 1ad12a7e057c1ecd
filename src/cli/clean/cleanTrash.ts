import { EmptyTrashDocument } from '#src/generated/api.ts';
import type { CommandContext } from '../commandContext.ts';
import { formatBytes } from '../terminal/formatNumber.ts';
import { printable } from '#src/lib/printable.ts';

/** The body of `warren clean`: asks the API again until nothing is left to delete, and says what that freed. */
export async function cleanTrash(
  context: CommandContext,
  { olderThanDays, dryRun, json }: { olderThanDays: number; dryRun: boolean; json: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const total = { runs: 0, files: 0, bytes: 0 };
  for (;;) {
    const { emptyTrash } = await api.request(EmptyTrashDocument, { olderThanDays, dryRun });
    const { runs, files, bytes, kept, remaining } = emptyTrash;
    total.runs += runs;
    total.files += files;
    total.bytes += bytes;
    if (remaining > 0 && runs > 0) continue;
    if (json) {
      terminal.print(JSON.stringify({ dryRun, ...total, kept }, null, 2));
      return;
    }
    for (const { number, name, usedBy } of kept) {
      terminal.print(`#${number} ${printable(name)} stays: ${usersText(usedBy)} what it left`);
    }
    const freed = `${counted(total.runs, 'run')}, ${counted(total.files, 'file')}, ${formatBytes(total.bytes)}`;
    if (total.runs === 0) terminal.print('Nothing to delete: no other run has been in the trash for so long.');
    else terminal.print(dryRun ? `Would be deleted for good: ${freed}` : `Deleted for good: ${freed}`);
    return;
  }
}

function usersText(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 5).map((number) => `#${number}`);
  const more = numbers.length > shown.length ? ` and ${numbers.length - shown.length} more` : '';
  return numbers.length === 1 ? `run ${shown[0]} uses` : `runs ${shown.join(', ')}${more} use`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

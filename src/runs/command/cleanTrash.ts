import { EmptyTrashDocument } from '#src/generated/api.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import { printable } from '#src/base/lib/printable.ts';
import { counted } from '#src/base/terminal/counted.ts';

/** The body of `warren clean`: asks the API again until nothing is left to delete, and says what that freed. */
export async function cleanTrash(
  context: CommandContext,
  { olderThanDays, dryRun, json }: { olderThanDays: number; dryRun: boolean; json: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const total = { runs: 0, files: 0, bytes: 0, reports: 0, projects: 0 };
  for (;;) {
    const { emptyTrash } = await api.request(EmptyTrashDocument, { olderThanDays, dryRun });
    const { runs, files, bytes, kept, remaining, reports, projects } = emptyTrash;
    total.runs += runs;
    total.files += files;
    total.bytes += bytes;
    total.reports += reports;
    total.projects += projects;
    if (remaining > 0 && runs > 0) continue;
    if (json) {
      terminal.print(JSON.stringify({ dryRun, ...total, kept }, null, 2));
      return;
    }
    for (const { number, name, usedBy, registeredAs } of kept) {
      const why = usedBy.length > 0 ? `${usersText(usedBy)} what it left` : versionsText(registeredAs);
      terminal.print(`#${number} ${printable(name)} stays: ${why}`);
    }
    const reportsToo = total.reports === 0 ? '' : `, ${counted(total.reports, 'report')}`;
    const projectsToo = total.projects === 0 ? '' : `, ${counted(total.projects, 'project')}`;
    const freed = `${counted(total.runs, 'run')}${reportsToo}${projectsToo}, ${counted(total.files, 'file')}, ${formatBytes(total.bytes)}`;
    if (total.runs + total.reports + total.projects === 0)
      terminal.print('Nothing to delete: no other run has been in the trash for so long.');
    else terminal.print(dryRun ? `Would be deleted for good: ${freed}` : `Deleted for good: ${freed}`);
    return;
  }
}

function usersText(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 5).map((number) => `#${number}`);
  const more = numbers.length > shown.length ? ` and ${numbers.length - shown.length} more` : '';
  return numbers.length === 1 ? `run ${shown[0]} uses` : `runs ${shown.join(', ')}${more} use`;
}

function versionsText(versions: readonly string[]): string {
  const more = versions.length > 1 ? ` and ${versions.length - 1} more` : '';
  return `${printable(versions[0] ?? '')}${more} was registered from it; \`warren model delete\` removes a version`;
}

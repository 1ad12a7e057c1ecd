import { ProjectStorageDocument, type ProjectStorageQuery, SetProjectQuotaDocument } from '#src/generated/api.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { renderTable } from '#src/base/terminal/table.ts';

type Taken = ProjectStorageQuery['projectStorage'][number];

/** The body of `warren project usage`: what the artifacts of each project take. */
export async function showProjectStorage(context: CommandContext, { json }: { json: boolean }): Promise<void> {
  const { terminal } = context;
  const { projectStorage } = await (await context.api()).request(ProjectStorageDocument, {});
  if (json) return terminal.print(JSON.stringify(projectStorage, null, 2));
  const right = { align: 'right' as const };
  const rows = projectStorage.map(({ name, files, bytes, trashBytes, quotaBytes }) => [
    ...[printable(name), String(files), formatBytes(bytes), formatBytes(trashBytes)],
    quotaBytes === null ? 'no limit' : formatBytes(quotaBytes),
  ]);
  const columns = [
    { header: 'project', minimum: 8 },
    ...['files', 'size', 'in the trash', 'may take'].map((header) => ({ header, ...right })),
  ];
  for (const line of renderTable(columns, rows, { width: terminal.width(), styleHeader: terminal.colours.dim })) {
    terminal.print(line);
  }
}

/** The body of `warren project quota`. */
export async function setProjectQuota(
  context: CommandContext,
  { project, bytes, json }: { project: string; bytes: number | null; json: boolean },
): Promise<void> {
  const { setProjectQuota: taken } = await (await context.api()).request(SetProjectQuotaDocument, { project, bytes });
  context.terminal.print(json ? JSON.stringify(taken, null, 2) : describe(taken));
}

function describe({ name, bytes, quotaBytes }: Taken): string {
  const held = `${printable(name)} holds ${formatBytes(bytes)}`;
  if (quotaBytes === null) return `${held}, without a limit`;
  const beyond = bytes > quotaBytes ? ': more than it may, so that nothing new is taken' : '';
  return `${held} of the ${formatBytes(quotaBytes)} that it may${beyond}`;
}

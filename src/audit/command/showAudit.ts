import { AuditLogDocument, type AuditLogQuery } from '#src/generated/api.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { renderTable } from '#src/base/terminal/table.ts';

export interface AuditRequest {
  since?: Date;
  project?: string;
  actor?: string;
  limit: number;
  json?: boolean;
}

type Entry = AuditLogQuery['auditLog'][number];

const PAGE = 500;
const SHOWN_OBJECTS = 5;

/** The body of `warren audit`. */
export async function showAudit({ terminal, api }: CommandContext, request: AuditRequest): Promise<void> {
  const { since, project = null, actor = null, limit, json = false } = request;
  const client = await api();
  const entries: Entry[] = [];
  for (let more = true; more && entries.length < limit; ) {
    const first = Math.min(PAGE, limit - entries.length);
    const before = entries.at(-1)?.id ?? null;
    const { auditLog } = await client.request(AuditLogDocument, {
      project,
      actor,
      first,
      before,
      since: since?.toISOString() ?? null,
    });
    entries.push(...auditLog);
    more = auditLog.length === first;
  }
  if (json) return terminal.print(JSON.stringify(entries, null, 2));
  if (entries.length === 0) return terminal.say('warren: nothing was done that these words say');
  const rows = entries.map((entry) => [
    entry.time.slice(0, 19).replace('T', ' '),
    printable(`${entry.actor || entry.actorKind}`),
    printable(entry.action),
    printable(entry.projects.join(', ')),
    objectsOf(entry),
    entry.result,
  ]);
  const columns = ['TIME (UTC)', 'WHO', 'WHAT', 'PROJECT', 'ON', 'RESULT'].map((header) => ({ header }));
  terminal.print(renderTable(columns, rows, { styleHeader: terminal.colours.bold }).join('\n'));
}

function objectsOf({ objects, objectCount }: Entry): string {
  const shown = objects.slice(0, SHOWN_OBJECTS).map((object) => printable(object));
  const others = objectCount - shown.length;
  return others > 0 ? `${shown.join(', ')} and ${others} more` : shown.join(', ');
}

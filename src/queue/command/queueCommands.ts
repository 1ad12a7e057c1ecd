import { PauseQueueDocument, QueueStateDocument, type PauseFragment, ResumeQueueDocument } from '#src/generated/api.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { formatAge } from '#src/base/terminal/formatNumber.ts';

/** The body of `warren queue`: how many runs wait, and what is paused. */
export async function showQueue(
  { terminal, api }: CommandContext,
  { json = false }: { json?: boolean },
): Promise<void> {
  const { queue } = await (await api()).request(QueueStateDocument, {});
  if (json) {
    terminal.print(JSON.stringify(queue, null, 2));
    return;
  }
  terminal.print(`${queue.running} running, ${queue.queued} queued, ${queue.waiting} waiting for inputs`);
  for (const line of pauseLines(queue.pauses)) terminal.print(line);
}

/** The body of `warren queue pause` and `resume`: does it, and says what is paused now. */
export async function changePause(
  { terminal, api }: CommandContext,
  action: 'pause' | 'resume',
  { kind, json = false }: { kind: string | undefined; json?: boolean },
): Promise<void> {
  const document = action === 'pause' ? PauseQueueDocument : ResumeQueueDocument;
  const { pauses } = await (await api()).request(document, { kind: kind ?? null });
  if (json) terminal.print(JSON.stringify(pauses, null, 2));
  else terminal.print(pauseLines(pauses).join('\n') || 'nothing is paused');
}

function pauseLines(pauses: readonly PauseFragment[]): string[] {
  const now = new Date();
  return pauses.map(({ kind, pausedAt }) => {
    const what = kind === null ? 'the whole queue' : printable(kind);
    return `paused: ${what} (${formatAge(pausedAt, now)})`;
  });
}

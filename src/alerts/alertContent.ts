import { type MessageContent, SERVER_MARK } from '#src/base/contracts/outgoingMessage.ts';
import { printable } from '#src/base/lib/printable.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import type { AlertRecord } from '#src/alerts/store/alertRecord.ts';
import type { RuleRecord } from '#src/alerts/store/ruleRecord.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { findProjects } from '#src/projects/store/projectRecord.ts';

/** Alerts that a message spells out; it says how many more there are. */
const MOST_SPELLED = 20;
const LONGEST_LINE = 1_000;

/** What a message says of alerts that a rule raised together. */
export async function alertContent(
  connection: Connection,
  rule: Pick<RuleRecord, 'number' | 'name' | 'projectId'>,
  alerts: readonly AlertRecord[],
): Promise<MessageContent> {
  const [project] = rule.projectId === null ? [] : await findProjects(connection, [rule.projectId]);
  const [first] = alerts;
  const one = alerts.length === 1 && first !== undefined;
  const lines = alerts.slice(0, MOST_SPELLED).flatMap(({ title, text, data }) => {
    const path = pathOf(data);
    const parts = [...(one ? [] : [`• ${line(title)}`]), line(text), path === null ? '' : `${SERVER_MARK}${path}`];
    return parts.filter((part) => part !== '');
  });
  const left = alerts.length - MOST_SPELLED;
  return {
    type: 'alert',
    title: one ? line(first.title) : `${rule.name}: ${alerts.length} alerts`,
    text: [...lines, ...(left > 0 ? [`and ${left} more`] : []), `Rule ${rule.number}: ${line(rule.name)}`].join('\n'),
    data: {
      rule: { number: rule.number, name: rule.name },
      project: project?.name ?? null,
      alerts: alerts.map(({ number, level, title, text, data, createdAt }) => ({
        ...{ number, level, title, text, time: createdAt.toISOString() },
        ...data,
      })),
    },
  };
}

function line(text: string): string {
  return shorten(printable(text), LONGEST_LINE);
}

/** Where the dashboard shows what an alert is about. */
function pathOf(data: Record<string, unknown>): string | null {
  for (const value of Object.values(data)) {
    if (typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string')
      return value.path;
  }
  return null;
}

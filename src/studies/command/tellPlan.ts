import { printable } from '#src/base/lib/printable.ts';
import type { PlanAnswer, ReproducedAnswer } from './fetchStudies.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { formatDuration } from '#src/base/terminal/formatNumber.ts';
import { renderTable } from '#src/base/terminal/table.ts';

/** How many runs are told at most, one a line. */
const SHOWN = 40;
const MINUTE_MS = 60_000;

type Told = Pick<PlanAnswer, 'minutes' | 'reused' | 'underWay' | 'left'>;

/** Tells what was queued, and what was not. */
export function sayQueued(context: CommandContext, { queued, ...told }: ReproducedAnswer): void {
  sayCounts(context, `queued ${queued.length}`, { ...told, count: queued.length });
}

/** Tells which runs would be queued, and how long they take. */
export function tellPlan(context: CommandContext, plan: PlanAnswer, json: boolean): void {
  const { terminal } = context;
  if (json) {
    terminal.print(JSON.stringify(plan, null, 2));
    return;
  }
  const { planned, ...told } = plan;
  sayCounts(context, `would queue ${planned.length}`, { ...told, count: planned.length });
  if (planned.length === 0) return;
  const rows = planned
    .slice(0, SHOWN)
    .map(({ arm, seed, budget, minutes, auditOf }) => [
      auditOf === null ? arm : `${arm}, again ${auditOf}`,
      String(seed),
      budget.toLowerCase(),
      formatDuration(minutes * MINUTE_MS),
    ]);
  const columns = [
    { header: 'RUN' },
    { header: 'SEED', align: 'right' as const },
    { header: 'BUDGET' },
    { header: 'ABOUT', align: 'right' as const },
  ];
  terminal.print(renderTable(columns, rows, { width: terminal.width(), styleHeader: terminal.colours.dim }).join('\n'));
  if (planned.length > SHOWN) terminal.say(terminal.colours.dim(`and ${planned.length - SHOWN} more; --json has all`));
}

function sayCounts(
  { terminal }: CommandContext,
  queued: string,
  { count, minutes, reused, underWay, left }: Told & { count: number },
): void {
  const parts = [
    count === 0 ? 'nothing to queue' : `${queued} (about ${formatDuration(minutes * MINUTE_MS)} of computing)`,
    ...(reused.length > 0 ? [`${reused.length} reused`] : []),
    ...(underWay.length > 0 ? [`${underWay.length} under way`] : []),
    ...(left.length > 0 ? [`${left.length} left out`] : []),
  ];
  terminal.say(`warren: ${parts.join(', ')}`);
  for (const reason of new Set(left.map((one) => one.reason))) {
    const arms = [...new Set(left.filter((one) => one.reason === reason).map(({ arm }) => arm))];
    const shown = `${arms.slice(0, 5).join(', ')}${arms.length > 5 ? ', …' : ''}`;
    terminal.say(terminal.colours.dim(`  left out: ${printable(shown)}: ${printable(reason)}`));
  }
}

import { printable } from '#src/lib/printable.ts';
import type { Comparison } from '../api/comparison.ts';

/** `#4 #5 #6 mf-bpr`; ranges of numbers where there are many. */
export function groupName({ runs }: Comparison, { runIds }: Pick<Comparison['groups'][number], 'runIds'>): string {
  const members = runs.filter((run) => runIds.includes(run.id));
  const numbers = members.map((run) => run.number).sort((a, b) => a - b);
  const first = numbers[0] ?? 0;
  const isRange = numbers.length > 2 && numbers.every((number, index) => number === first + index);
  const which = isRange ? `#${first}-${numbers.at(-1)}` : numbers.map((number) => `#${number}`).join(' ');
  return `${which} ${printable(members[0]?.name ?? '')}`;
}

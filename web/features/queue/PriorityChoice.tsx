import { formatCount } from '#web/lib/formatNumber.ts';
import { useQueueButtons } from './useQueueButtons.ts';

/** Places in the queue that have a name, as the command line knows them. */
const NAMED = [
  ['high', 100],
  ['normal', 1000],
  ['low', 10_000],
] as const;

/** The place of a run in the queue, to be changed where the caller may. */
export function PriorityChoice({
  run,
  mayWrite,
}: {
  run: { id: string; number: number; priority: number };
  mayWrite: boolean;
}) {
  const { pending, act } = useQueueButtons();
  if (!mayWrite) return <>{formatCount(run.priority)}</>;
  const isNamed = NAMED.some(([, priority]) => priority === run.priority);
  return (
    <select
      aria-label={`Priority of run ${run.number}`}
      value={run.priority}
      disabled={pending}
      onChange={(event) => {
        const priority = Number(event.target.value);
        act(
          { action: 'prioritize', runId: run.id, priority },
          `Run ${run.number} has priority ${formatCount(priority)}.`,
        );
      }}
    >
      {!isNamed && <option value={run.priority}>{formatCount(run.priority)}</option>}
      {NAMED.map(([name, priority]) => (
        <option key={name} value={priority}>
          {name}
        </option>
      ))}
    </select>
  );
}

import type { RunRow } from '#web/api/useRuns.ts';

export type RunsItem = { type: 'run'; run: RunRow; inGroup: boolean } | { type: 'group'; hash: string; runs: RunRow[] };

/** The rows of the table: runs alone, or gathered by configuration under a head, in order of first appearance. */
export function groupReplicates(runs: readonly RunRow[], grouped: boolean): RunsItem[] {
  if (!grouped) return runs.map((run) => ({ type: 'run', run, inGroup: false }));
  const groups = new Map<string, RunRow[]>();
  for (const run of runs) {
    const hash = run.configuration.hash;
    const group = groups.get(hash);
    if (group === undefined) groups.set(hash, [run]);
    else group.push(run);
  }
  return [...groups].flatMap(([hash, members]): RunsItem[] => [
    { type: 'group', hash, runs: members },
    ...members.map((run): RunsItem => ({ type: 'run', run, inGroup: true })),
  ]);
}

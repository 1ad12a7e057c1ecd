import type { AlertLevel } from '#src/base/contracts/alertRule.ts';
import type { EndedRun } from '#src/alerts/store/runFindings.ts';

/** Something that a rule waits for and that has happened. */
export interface Finding {
  /** Names it: it is told once. */
  key: string;
  level: AlertLevel;
  /** One line. */
  title: string;
  /** More about it; may be empty. */
  text: string;
  projectId: string | null;
  runId: string | null;
  /** The facts, for programs. */
  data: Record<string, unknown>;
}

/** How an alert names a run, and what it says of it to programs. */
export function aboutRun(run: Pick<EndedRun, 'id' | 'number' | 'name' | 'state' | 'projectName'>) {
  const { id, number, name, state } = run;
  return {
    subject: `${run.projectName}: run ${number}${name === '' ? '' : ` “${name}”`}`,
    fact: { id, number, name, state, path: `/runs/${number}` },
  };
}

import type { Workspace } from '#src/base/contracts/workspace.ts';
import type { Subject, SubjectRun } from './subjects.ts';

/** The workspace keeps so many ids at most, the latest. */
const MOST_HIDDEN = 400;

/** The workspace with the curves of a run or group hidden, or shown again. */
export function toggleCurve(workspace: Workspace, id: string): Workspace {
  const isHidden = workspace.hidden.includes(id);
  const hidden = isHidden ? workspace.hidden.filter((one) => one !== id) : [...workspace.hidden, id];
  return { ...workspace, hidden: hidden.slice(-MOST_HIDDEN) };
}

/** The workspace with the curves of one run or group alone; with all of them where it is alone already. */
export function showAlone(workspace: Workspace, id: string, all: readonly string[]): Workspace {
  const others = all.filter((one) => one !== id);
  const isAlone = !workspace.hidden.includes(id) && others.every((one) => workspace.hidden.includes(one));
  return { ...workspace, hidden: isAlone ? [] : others.slice(0, MOST_HIDDEN) };
}

/** The subjects whose curves are drawn, and the runs that other panels draw. */
export function withoutHidden(
  { hidden }: Workspace,
  subjects: readonly Subject[],
  runs: readonly SubjectRun[],
): { subjects: readonly Subject[]; runs: readonly SubjectRun[] } {
  if (hidden.length === 0) return { subjects, runs };
  const ids = new Set(hidden);
  const gone = new Set(subjects.filter(({ id }) => ids.has(id)).flatMap((subject) => subject.runs.map(({ id }) => id)));
  return gone.size === 0
    ? { subjects, runs }
    : { subjects: subjects.filter(({ id }) => !ids.has(id)), runs: runs.filter(({ id }) => !gone.has(id)) };
}

import { useMemo } from 'react';
import { type GroupOfRuns, useGroupsRuns } from '#web/features/metrics/useCurves.ts';
import { type Subject, type SubjectRun, subjectsOfGroups } from './subjects.ts';

/** Of all groups together so many runs are drawn at most. */
const MOST_RUNS = 400;

export interface GroupSubjects {
  /** Those whose runs are there. */
  subjects: Subject[];
  runs: SubjectRun[];
  pending: boolean;
}

/** Groups of runs as panels draw them. `labels` name them, in their order. */
export function useGroupSubjects(asked: readonly GroupOfRuns[], labels: readonly string[]): GroupSubjects {
  const answers = useGroupsRuns(asked);
  const subjects = useMemo(() => {
    let room = MOST_RUNS;
    const found = asked.flatMap(({ group }, index) => {
      const answer = answers[index] ?? null;
      if (answer === null || room <= 0) return [];
      const runs = answer.runs.slice(0, room);
      room -= runs.length;
      return [{ id: group, runs, total: answer.totalCount, label: labels[index] ?? group }];
    });
    return subjectsOfGroups(
      found,
      found.map(({ label }) => label),
    );
  }, [asked, answers, labels]);
  const runs = useMemo(() => subjects.flatMap((subject) => subject.runs), [subjects]);
  return { subjects, runs, pending: answers.some((answer) => answer === null) };
}

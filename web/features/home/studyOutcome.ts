import type { StudyVerdicts } from '#web/features/studies/useStudyVerdicts.ts';

const LISTS: readonly (readonly [words: string, verdicts: readonly string[]])[] = [
  ['agree', ['AGREES']],
  ['differ', ['DIFFERS']],
  ['confirmed', ['CONFIRMED']],
  ['refuted', ['REFUTED']],
  ['open', ['SHORTENED', 'NOT_RUN', 'UNDECIDED']],
];

/** What the runs of a study say so far: `32 agree, 23 differ, 4 open`; empty where nothing can be said of any. */
export function studyOutcome({ cells, claims }: StudyVerdicts): string {
  const verdicts = [...cells, ...claims].map(({ verdict }) => verdict);
  return LISTS.flatMap(([words, counted]) => {
    const count = verdicts.filter((verdict) => counted.includes(verdict)).length;
    return count === 0 ? [] : [`${count} ${words}`];
  }).join(', ');
}

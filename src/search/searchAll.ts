import { STUDIES } from '#src/catalog/studies/studies.ts';
import { findProjectsByWords, findRunsByWords, findSweepIdsByWords } from '#src/search/store/textSearch.ts';
import type { ProjectRecord } from '#src/projects/store/projectRecord.ts';
import { findRunsByNumber, type RunRecord } from '#src/runs/store/runRecord.ts';
import { findSweeps, type SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface FoundStudy {
  name: string;
  title: string;
}

/** What a text was found in. */
export interface Found {
  runs: RunRecord[];
  projects: ProjectRecord[];
  sweeps: SweepRecord[];
  studies: FoundStudy[];
}

/** Of one sort. */
export const MOST_FOUND = 20;
const MOST_WORDS = 6;
const LONGEST_TEXT = 200;
const NUMBER = /^#?(\d{1,9})$/;

/**
 * What bears all words of a text: runs by number, name or tag, projects, sweeps and studies by name; at most `first` of each sort.
 * @throws WarrenError BAD_INPUT for a number that is out of range.
 */
export async function searchAll(
  { db }: Pick<ServiceContext, 'db'>,
  input: { text: string; first: number },
): Promise<Found> {
  const first = checkedInteger(input.first, { path: 'first', minimum: 1, maximum: MOST_FOUND });
  const { words, number } = wordsOf(input.text);
  if (words.length === 0) return { runs: [], projects: [], sweeps: [], studies: [] };
  const [numbered, named, projects, sweepIds] = await Promise.all([
    number === null ? [] : findRunsByNumber(db, [number]),
    findRunsByWords(db, words, first),
    findProjectsByWords(db, words, first),
    findSweepIdsByWords(db, { words, number, first }),
  ]);
  const sweeps = await findSweeps(db, sweepIds);
  const runs = [...numbered, ...named.filter(({ id }) => numbered.every((run) => run.id !== id))];
  return {
    runs: runs.slice(0, first),
    projects,
    sweeps: sweepIds.flatMap((id) => sweeps.find((sweep) => sweep.id === id) ?? []),
    studies: studiesWith(words).slice(0, first),
  };
}

/** The words of a text, and the number that it is. */
export function wordsOf(text: string): { words: string[]; number: number | null } {
  const words = text
    .slice(0, LONGEST_TEXT)
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS);
  const digits = words.length === 1 ? NUMBER.exec(words[0]!)?.[1] : undefined;
  return { words, number: digits === undefined ? null : Number(digits) };
}

function studiesWith(words: readonly string[]): FoundStudy[] {
  return STUDIES.filter(({ name, title }) => {
    const text = `${name} ${title}`.toLowerCase();
    return words.every((word) => text.includes(word.toLowerCase()));
  }).map(({ name, title }) => ({ name, title }));
}

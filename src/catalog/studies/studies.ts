import { WarrenError } from '#src/contracts/errors.ts';
import { didYouMean } from '#src/lib/nearNames.ts';
import { overrecTable2Study } from './overrec/table2.ts';
import type { Study } from './study.ts';

/** Every study, in the order of papers and of their tables and figures; each name once. */
export const STUDIES: readonly Study[] = [overrecTable2Study];

/** The study of that name. Throws NOT_FOUND, with the names that are near or all that there are. */
export function studyByName(name: string): Study {
  const found = STUDIES.find((study) => study.name === name);
  if (found !== undefined) return found;
  const names = STUDIES.map((study) => study.name);
  const hint = didYouMean(name, names) || ` There are ${names.join(', ')}.`;
  throw new WarrenError('NOT_FOUND', `there is no study "${name}".${hint}`, { path: 'name' });
}

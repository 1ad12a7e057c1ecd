import { badInput } from '#src/base/contracts/errors.ts';
import { PER_USER_FILES } from '#src/base/contracts/perUserArtifact.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { findRunsWithFiles } from '#src/search/store/runsWithFiles.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { wordsOf } from './searchAll.ts';

/** Nearly every run that ranks has them: none is what somebody looks for by the ending of its name. */
const USER_TABLES = Object.values(PER_USER_FILES).map(({ table }) => table);
const LARGEST_NUMBER = 2 ** 31 - 1;

/**
 * Runs that left a file whose name ends so, other than the tables over users, the newest first, whose name, tags and project have all words of a text, or that
 * have the number that it is.
 * @throws WarrenError BAD_INPUT for an empty ending, or a number that cannot be.
 */
export async function runsWithFiles(
  { db }: Pick<ServiceContext, 'db'>,
  input: { ending: string; text: string; first: number; before: number | null },
): Promise<RunRecord[]> {
  const { ending, text, before } = input;
  if (ending === '')
    throw badInput('ending: expected how the name of a file ends, such as .npy, received none', 'ending');
  const first = checkedInteger(input.first, { path: 'first', minimum: 0, maximum: 500 });
  if (before !== null) checkedInteger(before, { path: 'before', minimum: 0, maximum: LARGEST_NUMBER });
  return await findRunsWithFiles(db, { ending, apart: USER_TABLES, ...wordsOf(text), before, first });
}

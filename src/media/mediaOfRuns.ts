import { badInput } from '#src/base/contracts/errors.ts';
import {
  listMediaAtStep,
  listMediaNames,
  type MediaAtStep,
  type MediaNameRecord,
} from '#src/media/store/mediaOfRuns.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import { requireRuns } from '#src/runs/findRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

const MOST_NAMES = 500;
const MOST_STEPS = 500;
const MOST_OF_A_RUN = 20;

/**
 * The names under which some of the runs have something to look at, with the steps, 500 of each at most.
 * @throws WarrenError BAD_INPUT where one of them is not there, or there are too many.
 */
export async function mediaNames(
  context: Pick<ServiceContext, 'db'>,
  references: readonly string[],
): Promise<MediaNameRecord[]> {
  const ids = (await requireRuns(context, references)).map(({ id }) => id);
  return await listMediaNames(context.db, ids, { mostNames: MOST_NAMES, mostSteps: MOST_STEPS });
}

/**
 * What each of the runs has under a name at its last step up to a given one; runs without any are left out.
 * @param input `step` null: the last step of each run; `first` of each run at most.
 * @throws WarrenError like `mediaNames`.
 */
export async function mediaAtStep(
  context: Pick<ServiceContext, 'db'>,
  { runIds, name, step, first }: { runIds: readonly string[]; name: string; step: number | null; first: number },
): Promise<MediaAtStep[]> {
  if (name === '') throw badInput('name: expected the name of media, such as samples/generated', 'name');
  const most = checkedInteger(first, { path: 'first', minimum: 1, maximum: MOST_OF_A_RUN });
  const ids = (await requireRuns(context, runIds)).map(({ id }) => id);
  return await listMediaAtStep(context.db, ids, { name, step, first: most });
}

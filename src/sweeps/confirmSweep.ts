import { badInput } from '#src/base/contracts/errors.ts';
import { AGENTS_KIND, type SweepDefinition } from '#src/sweeps/search/sweepDefinition.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import { findProjects } from '#src/projects/store/projectRecord.ts';
import { findRunsById, type RunRecord } from '#src/runs/store/runRecord.ts';
import { hasConfirmations, insertConfirmations } from '#src/sweeps/store/sweepConfirmation.ts';
import { lockSweep, type SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import { greatestSweepSeed } from '#src/sweeps/store/sweepTrial.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';
import { checkedKey, keyedId, keyedRunIds } from '#src/runs/callKey.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { requireSweep } from './findSweep.ts';
import { readSweep } from './sweepView.ts';
import { checkTrialRuns, insertTrialRuns } from './trialRuns.ts';

const MOST_SEEDS = 100;

/** What the runs that confirm a trial are called, and their tags. */
export function confirmingRun(
  { name }: Pick<SweepRecord, 'name'>,
  { definition, trial }: { definition: Pick<SweepDefinition, 'tags'>; trial: number },
): { name: string; tags: string[] } {
  return { name: `${name.slice(0, 160)} · trial ${trial}, confirmed`, tags: [...definition.tags, 'confirm'] };
}

/**
 * Queues the best trial of a sweep, or another one, with seeds that the sweep has not used: the best of many is partly
 * lucky, and only fresh seeds say what it is worth. The runs have the tag `confirm`. Where agents execute the trials nothing
 * is queued: the next agents that ask are given these seeds, and the answer is empty.
 * @param input `seeds` says how many, `trial` which trial; the best by default.
 * @throws WarrenError NOT_FOUND, and BAD_INPUT where there is no such trial.
 */
export async function confirmSweep(
  context: ServiceContext,
  input: {
    id: string;
    seeds?: number | null | undefined;
    trial?: number | null | undefined;
    /** The same call with the same key again answers what it answered, and queues none. */
    key?: string | null | undefined;
  },
): Promise<RunRecord[]> {
  const count = checkedInteger(input.seeds ?? 5, { path: 'seeds', minimum: 1, maximum: MOST_SEEDS });
  const call = checkedKey(input.key);
  const { id } = await requireSweep(context, input.id);
  const key = call === null ? null : keyedId('confirm', id, call);
  const runs = await inTransaction(context.db, async (connection) => {
    const sweep = await lockSweep(connection, id);
    invariant(sweep !== null, `sweep ${input.id} is gone`);
    const [project] = await findProjects(connection, [sweep.projectId]);
    if (key !== null) {
      const known = await findMade(connection, { key, project: project?.name, count });
      if (known.length > 0 || (await hasConfirmations(connection, { sweepId: id, callId: key }))) return known;
    }
    const { definition, trials, best } = await readSweep(connection, sweep);
    const trial = input.trial == null ? best : trials.find(({ number }) => number === input.trial);
    if (trial == null) {
      const why = input.trial == null ? 'has no trial with an objective yet' : `has no trial ${input.trial}`;
      throw badInput(`trial: sweep ${sweep.number} ${why}`, 'trial');
    }
    const used = Math.max(...definition.seeds, (await greatestSweepSeed(connection, id)) ?? 0);
    const seeds = Array.from({ length: count }, (_, index) => used + 1 + index);
    if (definition.kind === AGENTS_KIND) {
      await insertConfirmations(connection, { sweepId: id, trial: trial.number, seeds, callId: key });
      await sendNotifications(connection, [{ type: 'sweep', sweepId: id }]);
      return [];
    }
    const checked = checkTrialRuns(definition, trial.point, {
      project: project?.name,
      ...confirmingRun(sweep, { definition, trial: trial.number }),
      seeds,
      key,
    });
    return await insertTrialRuns(connection, checked, { id, trial: null, user: context.userName ?? sweep.user });
  });
  await addRunJobs(context, runs);
  return runs;
}

/** The runs that an earlier call with this key has queued; the lock on the sweep has others wait. */
async function findMade(
  connection: Connection,
  { key, project = 'default', count }: { key: string; project: string | undefined; count: number },
): Promise<RunRecord[]> {
  const ids = keyedRunIds({ key, project, seeds: Array.from({ length: count }, (_, index) => index) });
  return (await findRunsById(connection, ids)).sort((a, b) => a.number - b.number);
}

import { badInput } from '#src/contracts/errors.ts';
import { AGENTS_KIND } from '#src/sweeps/sweepDefinition.ts';
import { invariant } from '#src/lib/invariant.ts';
import { inTransaction } from '#src/store/database/connection.ts';
import { findProjects } from '#src/store/records/projectRecord.ts';
import type { RunRecord } from '#src/store/runs/runRecord.ts';
import { lockSweep } from '#src/store/sweeps/sweepRecord.ts';
import { greatestSweepSeed } from '#src/store/sweeps/sweepTrial.ts';
import { addRunJobs } from '../queue/addRunJobs.ts';
import { checkedInteger } from '../runs/runFields.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { requireSweep } from './findSweep.ts';
import { readSweep } from './sweepView.ts';
import { checkTrialRuns, insertTrialRuns } from './trialRuns.ts';

const MOST_SEEDS = 100;

/**
 * Queues the best trial of a sweep, or another one, with seeds that the sweep has not used: the best of many is partly
 * lucky, and only fresh seeds say what it is worth. The runs have the tag `confirm`.
 * @param input `seeds` says how many, `trial` which trial; the best by default.
 * @throws WarrenError NOT_FOUND, and BAD_INPUT where there is no such trial.
 */
export async function confirmSweep(
  context: ServiceContext,
  input: { id: string; seeds?: number | null | undefined; trial?: number | null | undefined },
): Promise<RunRecord[]> {
  const count = checkedInteger(input.seeds ?? 5, { path: 'seeds', minimum: 1, maximum: MOST_SEEDS });
  const { id } = await requireSweep(context, input.id);
  const runs = await inTransaction(context.db, async (connection) => {
    const sweep = await lockSweep(connection, id);
    invariant(sweep !== null, `sweep ${input.id} is gone`);
    const { definition, trials, best } = await readSweep(connection, sweep);
    const trial = input.trial == null ? best : trials.find(({ number }) => number === input.trial);
    if (trial == null) {
      const why = input.trial == null ? 'has no trial with an objective yet' : `has no trial ${input.trial}`;
      throw badInput(`trial: sweep ${sweep.number} ${why}`, 'trial');
    }
    if (definition.kind === AGENTS_KIND) {
      const how = `start its program with the values of trial ${trial.number} and seeds that the sweep has not used`;
      throw badInput(`id: agents execute the trials of sweep ${sweep.number}, so nothing is queued: ${how}`, 'id');
    }
    const used = Math.max(...definition.seeds, (await greatestSweepSeed(connection, id)) ?? 0);
    const [project] = await findProjects(connection, [sweep.projectId]);
    const checked = checkTrialRuns(definition, trial.point, {
      project: project?.name,
      name: `${sweep.name.slice(0, 160)} · trial ${trial.number}, confirmed`,
      tags: [...definition.tags, 'confirm'],
      seeds: Array.from({ length: count }, (_, index) => used + 1 + index),
    });
    return await insertTrialRuns(connection, checked, { id, trial: null, user: context.userName ?? sweep.user });
  });
  await addRunJobs(context, runs);
  return runs;
}

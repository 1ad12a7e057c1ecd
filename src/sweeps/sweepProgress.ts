import { type NextStep, nextStep } from '#src/sweeps/search/nextStep.ts';
import { pointCount } from '#src/sweeps/search/proposeTrial.ts';
import { readSearchSpace, type SearchSpace } from '#src/sweeps/search/searchSpace.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import { type SweepRecord, updateSweep } from '#src/sweeps/store/sweepRecord.ts';
import { judgeTrials } from './judgeTrials.ts';
import { readSweep, type SweepView } from './sweepView.ts';

/** How far a sweep is, its search space, and what is to be done now. */
export interface SweepProgress {
  view: SweepView;
  space: SearchSpace;
  step: NextStep;
}

/** Stops trials that are to go on no longer, and looks what is to be done. @param connection Holds the lock on the sweep's row. */
export async function readProgress(connection: Connection, sweep: SweepRecord): Promise<SweepProgress> {
  await judgeTrials(connection, sweep);
  const view = await readSweep(connection, sweep);
  const space = readSearchSpace(view.definition.parameters);
  const points = pointCount(view.definition.method, space);
  const { hopefulFrom, ageHours } = sweep;
  return { view, space, step: nextStep({ ...view, points, hopefulFrom, ageHours }) };
}

/** Finishes a sweep, or pauses it, and tells those who watch. */
export async function endSweep(
  connection: Connection,
  id: string,
  step: Extract<NextStep, { do: 'finish' | 'pause' }>,
): Promise<void> {
  const state = step.do === 'finish' ? 'FINISHED' : 'PAUSED';
  await updateSweep(connection, id, { state, reason: step.reason, ended: state === 'FINISHED' });
  await sendNotifications(connection, [{ type: 'sweep', sweepId: id }]);
}

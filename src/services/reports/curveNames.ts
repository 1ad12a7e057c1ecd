import { badInput } from '#src/contracts/errors.ts';
import { listCurveNames } from '#src/store/reports/metricSeries.ts';
import { checkReferences, resolveRuns, whyNoRun } from '../runs/findRun.ts';
import type { ServiceContext } from '../serviceContext.ts';

/** A metric of which runs have a curve: more than one point. */
export interface CurveName {
  name: string;
  /** How many of the runs that were asked for have one. */
  runCount: number;
}

const MOST_NAMES = 5_000;

/**
 * The metrics of which some of the runs have a curve, by name, 5,000 at most.
 * @param references Ids or numbers of runs.
 * @throws WarrenError BAD_INPUT for runs that do not exist.
 */
export async function curveNames(
  context: Pick<ServiceContext, 'db'>,
  references: readonly string[],
): Promise<CurveName[]> {
  checkReferences(references, 'runIds');
  const runs = await resolveRuns(context.db, references);
  const ids = runs.map((run, index) => {
    if (run === null) throw badInput(`runIds[${index}]: ${whyNoRun(references[index]!)}`, `runIds[${index}]`);
    return run.id;
  });
  return await listCurveNames(context.db, ids, MOST_NAMES);
}

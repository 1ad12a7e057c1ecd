import { listCurveNames } from '#src/metrics/store/metricSeries.ts';
import { requireRuns } from '#src/runs/findRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** A metric of which runs have a curve, which is more than one point, or one point alone. */
export interface CurveName {
  name: string;
  /** How many of the runs that were asked for have a curve of it. */
  runCount: number;
  /** Whether it is the x axis of other metrics. */
  isAxis: boolean;
}

const MOST_NAMES = 5_000;

/**
 * The metrics of which some of the runs have a curve, by name, 5,000 at most.
 * @param references Ids or numbers of runs.
 * @param withSingle Also those of which all that have it have one point.
 * @throws WarrenError BAD_INPUT for runs that do not exist.
 */
export async function curveNames(
  context: Pick<ServiceContext, 'db'>,
  references: readonly string[],
  withSingle = false,
): Promise<CurveName[]> {
  const ids = (await requireRuns(context, references)).map(({ id }) => id);
  return await listCurveNames(context.db, ids, { withSingle, limit: MOST_NAMES });
}

import { findExperiment } from '#src/mlflow/store/experimentRecord.ts';
import { findRunsById } from '#src/runs/store/runRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { uuidOf } from './trackedRuns.ts';

const LARGEST_NUMBER = 2_147_483_647;

/** The projects of the experiments and runs that such ids name; ids that name nothing are left out. */
export async function concernedProjects(
  { db }: Pick<ServiceContext, 'db'>,
  { experimentIds, runIds }: { experimentIds: readonly string[]; runIds: readonly string[] },
): Promise<string[]> {
  const numbers = experimentIds.filter((id) => /^\d+$/.test(id) && Number(id) <= LARGEST_NUMBER).map(Number);
  const experiments = await Promise.all([...new Set(numbers)].map((number) => findExperiment(db, number)));
  const runs = await findRunsById(
    db,
    runIds.flatMap((id) => uuidOf(id) ?? []),
  );
  return [...new Set([...experiments, ...runs].flatMap((one) => one?.projectId ?? []))];
}

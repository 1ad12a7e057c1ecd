import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import {
  type ExperimentRecord,
  ensureDefaultExperiment,
  findExperiment,
  findExperimentByName,
  insertExperiment,
  setExperimentTag as setProjectTag,
} from '#src/mlflow/store/experimentRecord.ts';
import { deleteProject, renameProject, undeleteProject } from '#src/projects/store/changeProject.ts';
import { addRunJobs } from '#src/runs/addRunJobs.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { announceMoved } from '#src/runs/announceMoved.ts';

type Context = Pick<ServiceContext, 'db'>;

const LARGEST_NUMBER = 2_147_483_647;

/** The number in an experiment's id as MLflow's clients write it. @throws WarrenError BAD_INPUT when it is none. */
export function experimentNumber(id: string): number {
  if (/^\s*[+-]?\d+\s*$/.test(id)) return Number(id);
  throw badInput(`Invalid experiment ID '${id}'. Experiment ID must be a valid integer.`, 'experiment_id');
}

/** The numbers in such ids, without those that no experiment can have. @throws WarrenError BAD_INPUT. */
export function experimentNumbers(ids: readonly unknown[]): number[] {
  return ids.map((id) => experimentNumber(String(id))).filter((number) => Math.abs(number) <= LARGEST_NUMBER);
}

/** The experiment of this id, deleted or not. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function requireExperiment(connection: Connection, id: string): Promise<ExperimentRecord> {
  const number = experimentNumber(id);
  const found = Math.abs(number) > LARGEST_NUMBER ? null : await findExperiment(connection, number);
  if (found === null) throw new WarrenError('NOT_FOUND', `No Experiment with id=${number} exists`);
  return found;
}

/** The experiment of this name, deleted or not. @throws WarrenError NOT_FOUND. */
export async function requireExperimentByName(context: Context, name: string): Promise<ExperimentRecord> {
  const found = await findExperimentByName(context.db, name);
  if (found === null) throw new WarrenError('NOT_FOUND', `Could not find experiment with name '${name}'`);
  return found;
}

/** `requireExperiment` for what changes it: `Default` is made where it is not there yet. @throws WarrenError BAD_INPUT, NOT_FOUND. */
export async function requireExperimentToChange(connection: Connection, id: string): Promise<ExperimentRecord> {
  if (experimentNumber(id) === 0) await ensureDefaultExperiment(connection);
  return await requireExperiment(connection, id);
}

/** @throws WarrenError BAD_INPUT when the experiment is deleted. */
export function refuseDeleted(experiment: ExperimentRecord): void {
  if (experiment.deletedAt === null) return;
  throw badInput(`The experiment ${experiment.number} must be in the 'active' state. Current state is deleted.`);
}

/** @throws WarrenError CONFLICT when the name is taken, also by a deleted experiment. */
export async function createExperiment(
  context: Context,
  input: Pick<ExperimentRecord, 'name' | 'artifactLocation' | 'tags'>,
): Promise<ExperimentRecord> {
  const taken = await findExperimentByName(context.db, input.name);
  const created = taken === null ? await insertExperiment(context.db, input) : null;
  if (created === null) throw nameTaken(input.name);
  return created;
}

function nameTaken(name: string): WarrenError {
  return new WarrenError('CONFLICT', `Experiment(name=${name}) already exists.`, { path: 'name' });
}

/** @throws WarrenError NOT_FOUND, CONFLICT when it is deleted or the name is taken. */
export async function renameExperiment(context: Context, id: string, name: string): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    const experiment = await requireExperimentToChange(connection, id);
    if (experiment.deletedAt !== null) throw new WarrenError('CONFLICT', 'Cannot rename a non-active experiment.');
    if (!(await renameProject(connection, experiment.projectId, name))) throw nameTaken(name);
  });
}

/** Deletes an experiment with its runs, or takes both back. @throws WarrenError NOT_FOUND. */
export async function deleteExperiment(context: ServiceContext, id: string, deleted: boolean): Promise<void> {
  const queued = await inTransaction(context.db, async (connection) => {
    const experiment = await requireExperimentToChange(connection, id);
    if ((experiment.deletedAt !== null) === deleted) {
      throw new WarrenError('NOT_FOUND', `No Experiment with id=${experiment.number} exists`);
    }
    const moved = await (deleted ? deleteProject : undeleteProject)(connection, experiment.projectId);
    return await announceMoved(connection, moved, deleted);
  });
  await addRunJobs(context, queued);
}

/** Sets a tag, or removes it (null). @throws WarrenError NOT_FOUND, BAD_INPUT when the experiment is deleted. */
export async function setExperimentTag(
  context: Context,
  id: string,
  { key, value }: { key: string; value: string | null },
): Promise<void> {
  await inTransaction(context.db, async (connection) => {
    const experiment = await requireExperimentToChange(connection, id);
    refuseDeleted(experiment);
    if (value === null && !Object.hasOwn(experiment.tags, key)) {
      throw new WarrenError('NOT_FOUND', `No tag with name: ${key} in experiment with id ${experiment.number}`);
    }
    await setProjectTag(connection, experiment.projectId, { key, value });
  });
}

import { WarrenError } from '#src/base/contracts/errors.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import {
  deleteProject as moveToTrash,
  describeProject,
  listGoingOn,
  renameProject,
  undeleteProject as takeFromTrash,
} from '#src/projects/store/changeProject.ts';
import { findProjectByName, listProjectNames, type ProjectRecord } from '#src/projects/store/projectRecord.ts';
import { addRunJobs } from '../runs/addRunJobs.ts';
import { announceMoved } from '../runs/announceMoved.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { checkedDescription } from './createProject.ts';

/** Runs, sweeps and comparisons of each sort that an error names. */
const MOST_NAMED = 5;

export interface ProjectChange {
  project: string;
  /** Null: stays as it is. */
  name?: string | null | undefined;
  /** Null: stays as it is. */
  description?: string | null | undefined;
}

/**
 * Renames a project, or sets what it is about.
 * @throws WarrenError NOT_FOUND, BAD_INPUT, CONFLICT when the name is taken.
 */
export async function editProject(context: Pick<ServiceContext, 'db'>, input: ProjectChange): Promise<ProjectRecord> {
  const name = input.name == null ? null : checkedName(input.name, 'name');
  const description = input.description == null ? null : checkedDescription(input.description);
  return await inTransaction(context.db, async (connection) => {
    const { id } = await requireProject(connection, input.project);
    if (name !== null && !(await renameProject(connection, id, name))) {
      throw new WarrenError('CONFLICT', `there is a project "${name}" already`, { path: 'name' });
    }
    if (description !== null) await describeProject(connection, id, description);
    return await requireProject(connection, name ?? input.project);
  });
}

/**
 * Moves a project to the trash, with all its runs.
 * @throws WarrenError NOT_FOUND, CONFLICT when it is there already or something in it still goes on.
 */
export async function deleteProject(context: ServiceContext, name: string): Promise<ProjectRecord> {
  return await changed(context, name, async (connection, project) => {
    if (project.deletedAt !== null) {
      throw new WarrenError('CONFLICT', `project "${name}" is in the trash already`, { path: 'project' });
    }
    const goingOn = await listGoingOn(connection, project.id);
    if (goingOn.length > 0) {
      const message = `project "${name}" is still at work: ${namedWork(goingOn)}. Cancel that first, or wait for its end.`;
      throw new WarrenError('CONFLICT', message, { path: 'project' });
    }
    return await announceMoved(connection, await moveToTrash(connection, project.id), true);
  });
}

/**
 * Takes a project out of the trash, with the runs that went there with it.
 * @throws WarrenError NOT_FOUND, CONFLICT when it is not there.
 */
export async function undeleteProject(context: ServiceContext, name: string): Promise<ProjectRecord> {
  return await changed(context, name, async (connection, project) => {
    if (project.deletedAt === null) {
      throw new WarrenError('CONFLICT', `project "${name}" is not in the trash`, { path: 'project' });
    }
    return await announceMoved(connection, await takeFromTrash(connection, project.id), false);
  });
}

async function changed(
  context: ServiceContext,
  name: string,
  change: (connection: Connection, project: ProjectRecord) => Promise<Parameters<typeof addRunJobs>[1]>,
): Promise<ProjectRecord> {
  const { queued, project } = await inTransaction(context.db, async (connection) => ({
    queued: await change(connection, await requireProject(connection, name)),
    project: await requireProject(connection, name),
  }));
  await addRunJobs(context, queued);
  return project;
}

async function requireProject(connection: Connection, name: string): Promise<ProjectRecord> {
  const project = await findProjectByName(connection, name);
  if (project !== null) return project;
  const hint = didYouMean(name, await listProjectNames(connection));
  throw new WarrenError('NOT_FOUND', `there is no project "${name.slice(0, 100)}".${hint}`, { path: 'project' });
}

/** `runs 4, 5 and 2 more; sweep 1`. */
function namedWork(goingOn: Awaited<ReturnType<typeof listGoingOn>>): string {
  const words = { run: 'run', sweep: 'sweep', decision: 'adaptive comparison' };
  const parts = Object.entries(words).map(([what, word]) => {
    const numbers = goingOn.filter((one) => one.what === what).map(({ number }) => number);
    if (numbers.length === 0) return '';
    const more = numbers.length > MOST_NAMED ? ` and ${numbers.length - MOST_NAMED} more` : '';
    return `${word}${numbers.length === 1 ? '' : 's'} ${numbers.slice(0, MOST_NAMED).join(', ')}${more}`;
  });
  return parts.filter((part) => part !== '').join('; ');
}

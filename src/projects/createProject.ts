import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { insertProject, type ProjectRecord } from '#src/projects/store/projectRecord.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

const LONGEST_DESCRIPTION = 10_000;

/** Creates a project. @throws WarrenError CONFLICT when its name is taken. */
export async function createProject(
  context: Pick<ServiceContext, 'db'>,
  input: { name: string; description?: string | undefined },
): Promise<ProjectRecord> {
  const name = checkedName(input.name, 'name');
  const description = checkedDescription(input.description ?? '');
  const project = await insertProject(context.db, { name, description });
  if (project === null) throw new WarrenError('CONFLICT', `there is a project "${name}" already`, { path: 'name' });
  return project;
}

/** What a project is about. @throws WarrenError BAD_INPUT when it is too long. */
export function checkedDescription(description: string): string {
  if (description.length <= LONGEST_DESCRIPTION) return description;
  const limit = LONGEST_DESCRIPTION.toLocaleString('en');
  throw badInput(`description: at most ${limit} characters, received ${description.length}`, 'description');
}

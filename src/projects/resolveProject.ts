import { WarrenError } from '#src/base/contracts/errors.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import { findProjectId, listProjectNames } from '#src/projects/store/projectRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** The id of a project; null for all. @throws WarrenError NOT_FOUND that says what may have been meant. */
export async function resolveProject(
  context: Pick<ServiceContext, 'db'>,
  name: string | null | undefined,
): Promise<string | null> {
  if (name == null) return null;
  const id = await findProjectId(context.db, name);
  if (id !== null) return id;
  const hint = didYouMean(name, await listProjectNames(context.db));
  throw new WarrenError('NOT_FOUND', `there is no project "${name.slice(0, 100)}".${hint}`, { path: 'project' });
}

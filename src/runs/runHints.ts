import { allKinds } from '#src/catalog/kinds.ts';
import { filterHints, fieldHints, textFieldsOf } from '#src/base/contracts/runFilter/filterHints.ts';
import type { RunField } from '#src/base/contracts/runFilter/syntax.ts';
import { listProjectNames } from '#src/projects/store/projectRecord.ts';
import { listUserNames } from '#src/runs/store/configurationColumns.ts';
import { resolveProject } from '#src/projects/resolveProject.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { runColumns } from './runColumns.ts';

/** Of more, nobody is told that a user has no runs. */
const MOST_USERS = 5_000;

/** Why no run may match a filter: names and values that no run of the project has, with what may be meant. */
export async function unmetHints(
  context: Pick<ServiceContext, 'db'>,
  { project, filter }: { project?: string | null | undefined; filter?: string | null | undefined },
): Promise<string[]> {
  if (filter == null || filter.trim() === '') return [];
  const fields = textFieldsOf(filter);
  const [columns, users, projects] = await Promise.all([
    runColumns(context, { project }),
    fields.has('user') ? listUserNames(context.db, await resolveProject(context, project), MOST_USERS) : undefined,
    fields.has('project') ? listProjectNames(context.db) : undefined,
  ]);
  return filterHints(filter, {
    ...columns,
    knownKinds: allKinds().map(({ kind }) => kind),
    ...(users !== undefined && users.length < MOST_USERS && { users }),
    ...(projects !== undefined && { projects }),
  });
}

/** What is wrong with a field that no run has a value in. */
export async function orderHints(
  context: Pick<ServiceContext, 'db'>,
  project: string | null | undefined,
  field: RunField,
): Promise<string[]> {
  return fieldHints(field, await runColumns(context, { project }));
}

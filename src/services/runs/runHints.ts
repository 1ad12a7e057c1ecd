import { allKinds } from '#src/catalog/kinds.ts';
import { filterHints, fieldHints } from '#src/contracts/runFilter/filterHints.ts';
import type { RunField } from '#src/contracts/runFilter/syntax.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { runColumns } from './runColumns.ts';

/** Why no run may match a filter: names and values that no run of the project has, with what may be meant. */
export async function unmetHints(
  context: Pick<ServiceContext, 'db'>,
  { project, filter }: { project?: string | null | undefined; filter?: string | null | undefined },
): Promise<string[]> {
  if (filter == null || filter.trim() === '') return [];
  const knownKinds = allKinds().map(({ kind }) => kind);
  return filterHints(filter, { ...(await runColumns(context, { project })), knownKinds });
}

/** What is wrong with a field that no run has a value in. */
export async function orderHints(
  context: Pick<ServiceContext, 'db'>,
  project: string | null | undefined,
  field: RunField,
): Promise<string[]> {
  return fieldHints(field, await runColumns(context, { project }));
}

import { WarrenError } from '#src/base/contracts/errors.ts';
import {
  ChangeRunsDocument,
  type ChangeRunsInput,
  type ChangeRunsMutation,
  CountRunsDocument,
  ListRunsDocument,
} from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';

/** What was done with runs, and with which nothing was. */
export type RunChange = ChangeRunsMutation['change'];

/** Changes these runs, or none where one of them is not there. @throws WarrenError NOT_FOUND that names it. */
export async function changeNamedRuns(
  api: ApiClient,
  runs: readonly string[],
  input: Omit<ChangeRunsInput, 'filter' | 'project' | 'expected'>,
): Promise<RunChange> {
  const ids = [...new Set(runs)];
  const named = { filter: filterOf(ids), expected: ids.length };
  await refuseUnknown(api, ids, { filter: named.filter, inTrash: input.inTrash ?? false });
  return (await api.request(ChangeRunsDocument, { input: { ...input, ...named } })).change;
}

/** A filter that these runs alone meet. */
function filterOf(ids: readonly string[]): string {
  const numbers = ids.filter((id) => /^\d+$/.test(id));
  const others = ids.filter((id) => !/^\d+$/.test(id)).map((id) => JSON.stringify(id.toLowerCase()));
  return [
    ...(numbers.length > 0 ? [`number in (${numbers.join(', ')})`] : []),
    ...(others.length > 0 ? [`id in (${others.join(', ')})`] : []),
  ].join(' or ');
}

const MOST_LOOKED_FOR = 500;

/** Says which of the runs are not there, before any is changed. @throws WarrenError NOT_FOUND. */
async function refuseUnknown(
  api: ApiClient,
  ids: readonly string[],
  which: { filter: string; inTrash: boolean },
): Promise<void> {
  const all = { ...which, project: null };
  if ((await api.request(CountRunsDocument, all)).runs.totalCount === ids.length) return;
  const { runs } = await api.request(ListRunsDocument, { ...all, names: [], first: MOST_LOOKED_FOR });
  const known = new Set(runs.edges.flatMap(({ node }) => [String(node.number), node.id]));
  const missing = ids.filter((id) => !known.has(id.toLowerCase()));
  if (missing.length === 0 || ids.length > MOST_LOOKED_FOR) return;
  const place = which.inTrash ? ' in the trash' : '; `warren ls --trash` lists those in the trash';
  throw new WarrenError('NOT_FOUND', `there is no run ${missing.join(', ')}${place}: nothing is changed`);
}

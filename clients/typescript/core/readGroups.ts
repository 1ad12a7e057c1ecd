import { ReadGroupsDocument, type ReadGroupsQuery } from '../generated/api.ts';
import { numberOrNull } from './history.ts';
import type { GroupsQuery, ReadGroup } from '../declarations/reading.mjs';
import type { Transport } from './transport.ts';

/** Groups of runs with statistics of metrics, summed up in the server over all that meet the filter. */
export async function readGroups(
  transport: Transport,
  by: readonly string[],
  { project, filter, metrics = [], bestOf }: GroupsQuery,
): Promise<ReadGroup[]> {
  const wanted = metrics.map((name) => ({ name, ...(bestOf !== undefined && { bestOf }) }));
  const asked = { project: project ?? null, filter: filter ?? null, by: [...by], metrics: wanted };
  const groups: ReadGroup[] = [];
  for (let after: string | null = null; ; ) {
    const { runGroups }: ReadGroupsQuery = await transport.ask(ReadGroupsDocument, { ...asked, after });
    for (const { node } of runGroups.edges) {
      groups.push({
        values: Object.fromEntries(by.map((field, index) => [field, node.values[index]])),
        runs: node.runCount,
        metrics: Object.fromEntries(
          node.metrics.map(({ name, n, ...statistics }) => [name, { n, ...numbers(statistics) }]),
        ),
      });
    }
    if (!runGroups.pageInfo.hasNextPage) return groups;
    after = runGroups.pageInfo.endCursor;
  }
}

function numbers<Name extends string>(values: Readonly<Record<Name, unknown>>): Record<Name, number | null> {
  const entries = Object.entries(values).map(([name, value]) => [name, numberOrNull(value)]);
  return Object.fromEntries(entries) as Record<Name, number | null>;
}

import { useQuery } from '@tanstack/react-query';
import {
  DatasetPageDocument,
  type DatasetPageQuery,
  DatasetTableDocument,
  type DatasetTableQuery,
  FieldValuesDocument,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

export type DatasetRow = DatasetTableQuery['datasets'][number];
export type DatasetDetails = NonNullable<DatasetPageQuery['dataset']>;
export type DatasetVersion = DatasetDetails['versions'][number];
export type PublishedStatistics = DatasetDetails['published'][number];

/** Counts change when a run uses other data: now and then is enough. */
const STALE_MS = 10_000;

/** All datasets with what runs have counted. */
export function useDatasetTable() {
  return useQuery({
    queryKey: ['datasetTable'],
    queryFn: async ({ signal }) => (await request(DatasetTableDocument, {}, signal)).datasets,
    staleTime: STALE_MS,
  });
}

const NONE: ReadonlyMap<string, number> = new Map();

/** How many runs use each dataset, by its name: of the hundred most used ones. */
export function useDatasetRuns(): ReadonlyMap<string, number> {
  const { data } = useQuery({
    queryKey: ['datasetRuns'],
    queryFn: async ({ signal }) => {
      const asked = { project: null, filter: null, inTrash: false, field: 'dataset' };
      const { runGroups } = await request(FieldValuesDocument, asked, signal);
      return new Map(
        runGroups.edges.flatMap(({ node }) => {
          const name: unknown = node.values[0];
          return typeof name === 'string' ? [[name, node.runCount] as const] : [];
        }),
      );
    },
    staleTime: STALE_MS,
  });
  return data ?? NONE;
}

/** One dataset; null where there is none of that name. */
export function useDataset(name: string) {
  return useQuery({
    queryKey: ['dataset', name],
    queryFn: async ({ signal }) => (await request(DatasetPageDocument, { name }, signal)).dataset,
    staleTime: STALE_MS,
  });
}

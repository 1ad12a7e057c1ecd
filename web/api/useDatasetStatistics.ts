import { useQuery } from '@tanstack/react-query';
import {
  DatasetPageDocument,
  type DatasetPageQuery,
  DatasetTableDocument,
  type DatasetTableQuery,
} from '../generated/graphql.ts';
import { request } from './request.ts';

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

/** One dataset; null where there is none of that name. */
export function useDataset(name: string) {
  return useQuery({
    queryKey: ['dataset', name],
    queryFn: async ({ signal }) => (await request(DatasetPageDocument, { name }, signal)).dataset,
    staleTime: STALE_MS,
  });
}

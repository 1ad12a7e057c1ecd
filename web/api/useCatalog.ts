import { useQuery } from '@tanstack/react-query';
import { CatalogDocument, type CatalogQuery, DatasetsDocument } from '../generated/graphql.ts';
import { request } from './request.ts';

export type ExperimentKind = CatalogQuery['experimentKinds'][number];
export type Preset = ExperimentKind['presets'][number];

/** What can be run. It changes with the server only. */
export function useCatalog() {
  return useQuery({
    queryKey: ['catalog'],
    queryFn: async ({ signal }) => (await request(CatalogDocument, {}, signal)).experimentKinds,
    staleTime: 10 * 60_000,
  });
}

export function useDatasets() {
  return useQuery({
    queryKey: ['datasets'],
    queryFn: async ({ signal }) => (await request(DatasetsDocument, {}, signal)).datasets,
    staleTime: 60_000,
  });
}

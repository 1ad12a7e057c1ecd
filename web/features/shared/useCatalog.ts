import { useQuery } from '@tanstack/react-query';
import { CatalogDocument, type CatalogQuery, DatasetsDocument, KindModulesDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';

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

/** Modules of WARREN_KINDS that the server could not load. They change with the server only. */
export function useLeftOutModules(): { module: string; problem: string }[] {
  const { data = [] } = useQuery({
    queryKey: ['kindModules'],
    queryFn: async ({ signal }) => (await request(KindModulesDocument, {}, signal)).kindModules,
    staleTime: 10 * 60_000,
  });
  return data.flatMap(({ module, problem }) => (problem === null ? [] : [{ module, problem }]));
}

export function useDatasets() {
  return useQuery({
    queryKey: ['datasets'],
    queryFn: async ({ signal }) => (await request(DatasetsDocument, {}, signal)).datasets,
    staleTime: 60_000,
  });
}

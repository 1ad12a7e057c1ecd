import { useMemo, useState } from 'react';
import type { ExperimentKind } from '#web/api/useCatalog.ts';
import { useFieldValues } from '#web/api/useFieldValues.ts';
import type { useRunColumns } from '#web/api/useProjects.ts';
import { chooseColumns, type FirstRuns, firstOfKinds } from './columnChoice.ts';
import type { RunsSearch } from './runsSearch.ts';

export interface ShownColumnsOptions {
  search: RunsSearch;
  project: string | null;
  inTrash: boolean;
  isGrouped: boolean;
  available: ReturnType<typeof useRunColumns>['data'];
  kinds: readonly ExperimentKind[] | undefined;
}

/** The columns of the table: those of the address or a view, else what suits the runs; `setFirst` tells which these are. */
export function useShownColumns({ search, project, inTrash, isGrouped, available, kinds }: ShownColumnsOptions) {
  const [first, setFirst] = useState<FirstRuns | null>(null);
  const isAsked = isGrouped && search.columns === undefined;
  const kindsThere = useFieldValues({ project, filter: search.filter ?? '', inTrash, field: isAsked ? 'kind' : null });
  const columns = useMemo(() => {
    const names = kindsThere?.filter((kind) => typeof kind === 'string');
    const ofGroups =
      names === undefined || available === undefined || kinds === undefined
        ? null
        : firstOfKinds(names, available, kinds);
    return chooseColumns(search.columns, available, { kinds, first: isGrouped ? ofGroups : first });
  }, [search.columns, available, kinds, isGrouped, first, kindsThere]);
  return { columns, setFirst };
}

import { useMemo, useState } from 'react';
import type { ExperimentKind } from '#web/features/shared/useCatalog.ts';
import { useFieldValues } from './useFieldValues.ts';
import { useFirstRuns } from './useFirstRuns.ts';
import type { useRunColumns } from '#web/features/projects/useProjects.ts';
import { useNarrow } from '#web/components/useNarrow.ts';
import { chooseColumns, type FirstRuns, firstOfKinds } from './columnChoice.ts';
import { ownMetricsOf } from './firstRuns.ts';
import type { RunsSearch } from './runsSearch.ts';

export interface ShownColumnsOptions {
  search: RunsSearch;
  project: string | null;
  inTrash: boolean;
  isGrouped: boolean;
  available: ReturnType<typeof useRunColumns>['data'];
  kinds: readonly ExperimentKind[] | undefined;
  /** Metrics that become columns without a word where a run has them. */
  candidates: readonly string[];
}

/** The columns of the table: those of the address or a view, else what suits the runs; `setFirst` tells which these are. */
export function useShownColumns(options: ShownColumnsOptions) {
  const { search, project, inTrash, isGrouped, available, kinds, candidates } = options;
  const [first, setFirst] = useState<FirstRuns | null>(null);
  const narrow = useNarrow();
  const isAsked = isGrouped && search.columns === undefined;
  const filter = search.filter ?? '';
  const kindsThere = useFieldValues({ project, filter, inTrash, field: isAsked ? 'kind' : null });
  const firstRuns = useFirstRuns({ project, filter, inTrash, metrics: candidates, enabled: isAsked });
  const columns = useMemo(() => {
    const names = kindsThere?.filter((kind) => typeof kind === 'string');
    const ofGroups =
      names === undefined || available === undefined || kinds === undefined
        ? null
        : firstOfKinds(names, available, { kinds, own: ownMetricsOf(firstRuns ?? []) });
    return chooseColumns(search.columns, available, { kinds, first: isGrouped ? ofGroups : first, narrow });
  }, [search.columns, available, kinds, isGrouped, first, kindsThere, firstRuns, narrow]);
  return { columns, setFirst };
}

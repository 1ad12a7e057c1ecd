import { useMemo, useState } from 'react';
import { useRunPage } from '#web/features/runs/useRunPages.ts';
import { type MediaCell, mediaCells } from './mediaGroups.ts';
import { usePanelShared } from './panelContext.ts';
import { subjectsOfRuns } from './subjects.ts';

/** Where a panel of media stands among all runs that match. */
export interface MediaPages {
  page: number;
  count: number;
  /** Runs before those of the page. */
  before: number;
  total: number;
  goTo(page: number): void;
}

/** Where only those that have curves are there to be seen. */
const NOTHING = { project: null, filter: '', orderBy: 'number', direction: 'DESC', inTrash: false } as const;

/** The runs of a panel of media: first those that have curves, then, page by page, all others that the table shows. */
export function useMediaPage(): { cells: readonly MediaCell[]; pages: MediaPages | null; error: Error | null } {
  const { subjects, workspace, matching } = usePanelShared();
  const [chosen, goTo] = useState(0);
  const size = workspace.curves;
  const total = matching?.totalCount ?? 0;
  const count = Math.ceil(total / size);
  const page = Math.min(chosen, Math.max(0, count - 1));
  const { runs, error } = useRunPage(matching?.runs ?? NOTHING, { page, size, enabled: page > 0 });
  const ids = runs?.map(({ id }) => id).join() ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the runs
  const cells = useMemo(() => mediaCells(page === 0 ? subjects : subjectsOfRuns(runs ?? [])), [page, subjects, ids]);
  const pages = count > 1 ? { page, count, before: page * size, total, goTo } : null;
  return { cells, pages, error };
}

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ApiError } from '#web/api/apiError.ts';
import { type SavedView, useViews } from './useViews.ts';
import { fullSearch, shortSearch } from './keptLook.ts';
import type { RunsSearch } from './runsSearch.ts';
import { addressOf, differencesFrom, LOOK_KEYS, lookOf, lookOfSettings, type TableLook } from './tableLook.ts';

/** In the address instead of a view's number: none, also where the project has a default one. */
const NO_VIEW = 'none';
const EMPTY: TableLook = {};

export interface TableLookState {
  /** The address with what the view says where it is silent itself. */
  search: RunsSearch;
  look: TableLook;
  project: string | null;
  views: readonly SavedView[];
  /** The view under the address; null: none. */
  view: SavedView | null;
  /** In what the table looks otherwise than its view, in words; none without a view. */
  differences: string[];
  /** Whether it is not known yet which view the table shows. */
  pending: boolean;
  /** Whether this browser keeps columns or panels that are too long for the address, or does not know those of another; null: all is in it. */
  kept: 'here' | 'elsewhere' | null;
  /** Why the table does not show the view that it should; null where nothing is wrong. */
  problem: Error | null;
  change(changed: Partial<RunsSearch>): void;
  /** Shows a view as it was saved; null: none. */
  choose(view: Pick<SavedView, 'number'> | null): void;
}

/** What the table shows: a saved view where one is chosen or the project has a default, and what the address says over it. */
export function useTableLook(): TableLookState {
  const address = useSearch({ from: '/runs' });
  const known = useMemo(() => fullSearch(address), [address]);
  const search = known ?? address;
  const navigate = useNavigate({ from: '/runs' });
  const project = search.project ?? null;
  const query = useViews(project);
  const views = useMemo(() => (project === null ? [] : (query.data ?? [])), [project, query.data]);
  const view = useMemo(() => viewOf(views, search.saved), [views, search.saved]);
  const viewsKnown = project === null || (query.isSuccess && !query.isFetching);
  const missing = useMemo(
    () => (view === null && viewsKnown ? missingView(search.saved) : null),
    [view, viewsKnown, search.saved],
  );
  // of a project that is not there the runs tell
  const viewsError = query.error instanceof ApiError && query.error.code === 'NOT_FOUND' ? null : query.error;
  const base = useMemo(() => (view === null ? EMPTY : lookOfSettings(view.settings)), [view]);
  const look = useMemo(() => lookOf(search, base), [search, base]);
  return {
    search: useMemo(() => {
      const { direction, ...rest } = look;
      const shown: RunsSearch = { ...search };
      for (const key of LOOK_KEYS) delete shown[key];
      return {
        ...shown,
        ...rest,
        ...(direction === undefined ? {} : { direction: direction === 'asc' ? 'asc' : 'desc' }),
      };
    }, [search, look]),
    look,
    project,
    views,
    view,
    differences: view === null ? [] : differencesFrom(base, look),
    kept: address.kept === undefined ? null : known === null ? 'elsewhere' : 'here',
    pending: project !== null && query.isPending && query.error === null,
    problem: query.data === undefined ? (viewsError ?? missing) : missing,
    change(changed) {
      const next = lookOf({}, { ...look, ...changed });
      // another project has views of its own
      const moved = 'project' in changed && changed.project !== search.project;
      const said = moved ? { ...addressOf(next, EMPTY), saved: undefined } : addressOf(next, base);
      void navigate({
        search: (before) => shortSearch({ ...before, ...changed, ...said, direction: directionOf(said.direction) }),
        replace: true,
      });
    },
    choose(chosen) {
      const saved = chosen === null ? NO_VIEW : String(chosen.number);
      void navigate({ search: (before) => ({ project: before.project, view: before.view, saved }) });
    },
  };
}

function viewOf(views: readonly SavedView[], saved: string | undefined): SavedView | null {
  if (saved === undefined) return views.find(({ isDefault }) => isDefault) ?? null;
  return views.find(({ number }) => String(number) === saved) ?? null;
}

function missingView(saved: string | undefined): Error | null {
  if (saved === undefined || saved === NO_VIEW) return null;
  return new Error(`View ${saved} is not there: it may have been deleted, or it is another project's.`);
}

function directionOf(text: string | undefined): 'asc' | 'desc' | undefined {
  return text === 'asc' || text === 'desc' ? text : undefined;
}

import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import {
  CurveNamesDocument,
  CurveRunsDocument,
  type CurveRunsQuery,
  FinerHistoryDocument,
} from '#web/generated/graphql.ts';
import { readSeries } from '#web/lib/metricSeries.ts';
import { type CurveStore, createCurveStore, type FollowedRun } from './curveStore.ts';
import type { CurveSet } from './knownCurves.ts';
import { request } from '#web/api/request.ts';

export type CurveRun = CurveRunsQuery['runs']['edges'][number]['node'];

/** The store of a page's curves, which follows these runs while the page is there. */
export function useCurveStore(runs: readonly FollowedRun[]): CurveStore | null {
  const [store, setStore] = useState<CurveStore | null>(null);
  useEffect(() => {
    const made = createCurveStore();
    setStore(made);
    return () => made.stop();
  }, []);
  const key = JSON.stringify(runs.map(({ id, isLive }) => [id, isLive]));
  useEffect(() => {
    const parsed = JSON.parse(key) as [string, boolean][];
    store?.setRuns(parsed.map(([id, isLive]) => ({ id, isLive })));
  }, [store, key]);
  return store;
}

/** The series of some metrics, while they are shown; null where they are not read yet. */
export function useCurveSets(store: CurveStore, names: readonly string[], inSight: boolean): (CurveSet | null)[] {
  const text = names.join('\n');
  useEffect(() => {
    if (inSight && text !== '') return store.show(text.split('\n'));
  }, [store, text, inSight]);
  const read = useMemo(() => {
    let before: (CurveSet | null)[] = [];
    return () => {
      const next = text === '' ? [] : text.split('\n').map((name) => store.get(name));
      if (next.length !== before.length || next.some((set, index) => set !== before[index])) before = next;
      return before;
    };
  }, [store, text]);
  return useSyncExternalStore(store.subscribe, read);
}

const LIVE_NAMES_MS = 5_000;

/** The metrics that the runs have, by name; those without a curve, of one point alone, have a `runCount` of 0. */
export function useCurveNames(runIds: readonly string[], live: boolean) {
  return useQuery({
    queryKey: ['curveNames', runIds],
    queryFn: async ({ signal }) => (await request(CurveNamesDocument, { runIds: [...runIds] }, signal)).curveNames,
    enabled: runIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: live ? LIVE_NAMES_MS : false,
  });
}

export interface FinerInput {
  runIds: readonly string[];
  names: readonly string[];
  fromStep: number;
  toStep: number;
}

const FINER_POINTS = 1_000;

/** The series between two steps, finer than those of the whole; null: nothing is asked. */
export function useFinerCurves(input: FinerInput | null) {
  return useQuery({
    queryKey: ['finerCurves', input],
    queryFn: async ({ signal }) => {
      if (input === null) return [];
      const { runIds, names, ...range } = input;
      const maxPoints = Math.max(50, Math.min(FINER_POINTS, Math.floor(80_000 / (runIds.length * names.length))));
      const variables = { runIds: [...runIds], names: [...names], maxPoints, ...range };
      return (await request(FinerHistoryDocument, variables, signal)).metricHistory.map(readSeries);
    },
    enabled: input !== null,
    staleTime: 30_000,
  });
}

export interface GroupOfRuns {
  project: string | null;
  filter: string;
  inTrash: boolean;
  group: string;
}

/** Runs of a group that have a part in its curve. */
export const MOST_MEMBERS = 50;

/** The runs of each group, the first by seed; null where they are not read yet. */
export function useGroupsRuns(groups: readonly GroupOfRuns[]) {
  return useQueries({
    queries: groups.map((input) => ({
      queryKey: ['groupRuns', 'curves', input],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const filter = input.filter === '' ? null : input.filter;
        const { runs } = await request(CurveRunsDocument, { ...input, filter, first: MOST_MEMBERS }, signal);
        return { runs: runs.edges.map(({ node }) => node), totalCount: runs.totalCount };
      },
      staleTime: 10_000,
      placeholderData: keepPreviousData,
    })),
    combine: combineGroups,
  });
}

type GroupAnswer = { runs: CurveRun[]; totalCount: number };

/** One function for all renderings: another one would combine anew each time. */
function combineGroups(results: readonly { data?: GroupAnswer | undefined }[]): (GroupAnswer | null)[] {
  return results.map(({ data }) => data ?? null);
}

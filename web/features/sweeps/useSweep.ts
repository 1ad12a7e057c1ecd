import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import {
  SweepChangedDocument,
  SweepConfirmationsDocument,
  type SweepConfirmationsQuery,
  SweepDocument,
  SweepImportanceDocument,
  type SweepImportanceQuery,
  type SweepQuery,
  SweepTrialsDocument,
} from '#web/generated/graphql.ts';
import { isLive } from '#web/lib/runStates.ts';
import { type TrialColumns, mergeTrials } from './trialColumns.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

/** Trials that changed are read this long after the first change, all at once. */
const GATHER_MS = 400;

interface TrialFeed {
  /** Says that trials may have changed; they are read soon, however often this is called. */
  changed(): void;
  stop(): void;
}

interface TrialFeedHandlers {
  onTrials(trials: TrialColumns): void;
  onError(error: unknown): void;
}

/** Reads all trials of a sweep at once, and after each change those from the first that had not ended. */
function followTrials(id: string, { onTrials, onError }: TrialFeedHandlers): TrialFeed {
  const abort = new AbortController();
  let known: TrialColumns | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading = false;
  let stale = false;

  const read = async () => {
    timer = undefined;
    reading = true;
    stale = false;
    try {
      const open = known?.states.indexOf('RUNNING') ?? -1;
      const from = known === null ? 0 : open < 0 ? known.numbers.length : open;
      const after = from === 0 ? null : from - 1;
      const { sweep } = await request(SweepTrialsDocument, { id, after }, abort.signal);
      if (sweep !== null && !abort.signal.aborted) {
        known = mergeTrials(known, sweep.trialColumns);
        onTrials(known);
      }
    } catch (error) {
      if (!abort.signal.aborted) onError(error);
    }
    reading = false;
    if (stale) changed();
  };
  const changed = () => {
    if (abort.signal.aborted) return;
    if (reading) stale = true;
    else timer ??= setTimeout(() => void read(), GATHER_MS);
  };
  void read();
  return {
    changed,
    stop() {
      abort.abort();
      clearTimeout(timer);
    },
  };
}

export type SweepDetail = NonNullable<SweepQuery['sweep']>;
export type SweepParameter = SweepDetail['parameters'][number];
export type ParameterImportance = NonNullable<SweepImportanceQuery['sweep']>['importance'][number];
export type Confirmations = NonNullable<SweepConfirmationsQuery['sweep']>;
export const NO_CONFIRMATIONS: Confirmations = { confirmations: [], untakenConfirmations: [] };

/** Which parameters matter is asked again at most this often. */
const IMPORTANCE_MS = 4000;

/** One sweep by id or number, kept current by `sweepChanged`. `null` data: there is no such sweep. */
export function useSweep(idOrNumber: string) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: ['sweep', idOrNumber],
    queryFn: async ({ signal }) => (await request(SweepDocument, { id: idOrNumber }, signal)).sweep,
  });
  const id = query.data?.id;
  useEffect(() => {
    if (id === undefined) return;
    const key = ['sweep', idOrNumber];
    let known = '';
    return subscribe(SweepChangedDocument, () => ({ id }), {
      onData: ({ sweepChanged }) => {
        // an extension may give parameters other values
        const definition = JSON.stringify(sweepChanged.definition);
        if (known !== '' && known !== definition) void queryClient.invalidateQueries({ queryKey: key });
        known = definition;
        queryClient.setQueryData<SweepDetail | null>(key, (sweep) => (sweep ? { ...sweep, ...sweepChanged } : sweep));
      },
      onReconnect: () => void queryClient.invalidateQueries({ queryKey: key }),
    });
  }, [id, idOrNumber, queryClient]);
  return query;
}

/** All trials of a sweep in columns, read beside the sweep itself and again whenever it changes. */
export function useSweepTrials(idOrNumber: string, sweep: SweepDetail | null | undefined) {
  const [answer, setAnswer] = useState<TrialAnswer>(NOTHING);
  const feed = useRef<TrialFeed | null>(null);
  // what changes when a trial does
  const mark = sweep ? JSON.stringify([sweep.counts, sweep.state, sweep.endedAt]) : '';

  useEffect(() => {
    setAnswer(NOTHING);
    const following = followTrials(idOrNumber, {
      onTrials: (trials) => setAnswer({ trials, error: null }),
      onError: (error) => setAnswer(({ trials }) => ({ trials, error })),
    });
    feed.current = following;
    return () => following.stop();
  }, [idOrNumber]);

  useEffect(() => {
    if (mark !== '') feed.current?.changed();
  }, [mark]);

  return answer;
}

interface TrialAnswer {
  /** Null until they are read. */
  trials: TrialColumns | null;
  error: unknown;
}

const NOTHING: TrialAnswer = { trials: null, error: null };

/** Which parameters matter, asked anew when more trials have an objective. */
export function useSweepImportance(id: string | undefined, measured: number) {
  const [asked, setAsked] = useState(0);
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const wait = Math.max(0, askedAt.current + IMPORTANCE_MS - performance.now());
    const timer = setTimeout(() => {
      askedAt.current = performance.now();
      setAsked(measured);
    }, wait);
    return () => clearTimeout(timer);
  }, [measured]);
  return useQuery({
    queryKey: ['sweepImportance', id, asked],
    enabled: id !== undefined && asked > 0,
    queryFn: async ({ signal }): Promise<ParameterImportance[]> =>
      (await request(SweepImportanceDocument, { id: id ?? '' }, signal)).sweep?.importance ?? [],
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * Runs that confirm trials on fresh seeds, with the sweep's metric, and the seeds that agents are still to take; read again
 * every few seconds while some go on.
 */
export function useSweepConfirmations(id: string | undefined, metric: string | null) {
  return useQuery({
    queryKey: ['sweepConfirmations', id, metric],
    enabled: id !== undefined,
    queryFn: async ({ signal }): Promise<Confirmations> => {
      const variables = { id: id ?? '', metrics: metric === null ? [] : [metric] };
      return (await request(SweepConfirmationsDocument, variables, signal)).sweep ?? NO_CONFIRMATIONS;
    },
    refetchInterval: ({ state: { data = NO_CONFIRMATIONS } }) =>
      data.untakenConfirmations.length > 0 || data.confirmations.some(({ state }) => isLive(state)) ? 2000 : false,
  });
}

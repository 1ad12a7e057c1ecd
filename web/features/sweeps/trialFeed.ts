import { SweepTrialsDocument } from '#web/generated/graphql.ts';
import { mergeTrials, type TrialColumns } from './trialColumns.ts';
import { request } from '#web/api/request.ts';

/** Trials that changed are read this long after the first change, all at once. */
const GATHER_MS = 400;

export interface TrialFeed {
  /** Says that trials may have changed; they are read soon, however often this is called. */
  changed(): void;
  stop(): void;
}

export interface TrialFeedHandlers {
  onTrials(trials: TrialColumns): void;
  onError(error: unknown): void;
}

/** Reads all trials of a sweep at once, and after each change those from the first that had not ended. */
export function followTrials(id: string, { onTrials, onError }: TrialFeedHandlers): TrialFeed {
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

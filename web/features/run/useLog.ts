import { useEffect, useState } from 'react';
import { type LogState, startLogFeed } from './logFeed.ts';

/** The log of a run, current while `live`. */
export function useLog(runId: string, live: boolean): LogState {
  const [state, setState] = useState<LogState>({ lines: [], phase: 'reading', error: null });
  useEffect(() => startLogFeed(runId, live, setState), [runId, live]);
  return state;
}

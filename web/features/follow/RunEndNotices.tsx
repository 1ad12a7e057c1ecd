import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { FollowedRunChangedDocument, type FollowedRunFragment, FollowedRunsDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';
import { useStore } from '#web/api/useStore.ts';
import { showToast } from '#web/components/toasts.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { isLive } from '#web/lib/runStates.ts';
import { summaryValue } from '#web/lib/summaryValue.ts';
import { followedRuns, setFollowed } from './followedRuns.ts';

type FollowedRun = FollowedRunFragment;

/** Tells of runs as they are now, and each time that one changes. Returns the function that stops it. */
function followRuns(runs: readonly { id: string; number: number }[], onRun: (run: FollowedRun) => void): () => void {
  const abort = new AbortController();
  const read = async () => {
    const filter = `number in (${runs.map(({ number }) => number).join(', ')})`;
    const found = await request(FollowedRunsDocument, { filter }, abort.signal);
    for (const { node } of found.runs.edges) onRun(node);
  };
  // An API that is away is asked again when the connection is back.
  const readAgain = () => void read().catch(() => {});
  const stop = subscribe(FollowedRunChangedDocument, () => ({ ids: runs.map(({ id }) => id) }), {
    onData: ({ runChanged }) => onRun(runChanged),
    onReconnect: readAgain,
  });
  readAgain();
  return () => {
    abort.abort();
    stop();
  };
}

/** Tells of the end of runs that are followed, once each. */
export function RunEndNotices() {
  const runs = useStore(followedRuns);
  const router = useRouter();
  useEffect(() => {
    if (runs.length === 0) return;
    return followRuns(runs, (run) => {
      // Another page of this browser may have told of it.
      if (isLive(run.state) || followedRuns.get().every(({ id }) => id !== run.id)) return;
      setFollowed(run, false);
      tell(run, () => router.history.push(`/runs/${run.id}`));
    });
  }, [runs, router]);
  return null;
}

function tell(run: FollowedRun, open: () => void): void {
  const title = `#${run.number} ${run.name}: ${run.state.toLowerCase()}`;
  const { error, headline } = run;
  const result = headline === null ? '' : `${headline.name} ${formatNumber(summaryValue(headline), 4)}`;
  showToast(title, { action: { label: 'Show', run: open } });
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  // Equal tags: of several pages that tell of one run the browser shows one message.
  const notice = new Notification(title, { body: error?.message.slice(0, 200) ?? result, tag: `warren ${run.id}` });
  notice.onclick = () => {
    window.focus();
    open();
  };
}

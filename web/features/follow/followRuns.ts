import { FollowedRunChangedDocument, type FollowedRunFragment, FollowedRunsDocument } from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { subscribe } from '#web/api/subscribe.ts';

export type FollowedRun = FollowedRunFragment;

/** Tells of runs as they are now, and each time that one changes. Returns the function that stops it. */
export function followRuns(
  runs: readonly { id: string; number: number }[],
  onRun: (run: FollowedRun) => void,
): () => void {
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

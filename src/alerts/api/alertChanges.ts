import { alertHistory } from '#src/alerts/alertHistory.ts';
import type { AlertRecord } from '#src/alerts/store/alertRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { changeStream } from '#src/base/graphql/changeStream.ts';

/** Alerts that a subscriber is shown. */
const NEWEST = 20;

/** The newest alerts of all projects, at once and whenever one is raised. */
export function alertChanges({
  changes,
  services,
  snapshots,
  outlet,
  onRetry,
}: GraphqlContext): AsyncIterableIterator<AlertRecord[]> {
  return changeStream<AlertRecord[]>({
    onRetry,
    outlet,
    listen: (wake) => changes.listen([{ type: 'alerts' }], { onChange: wake, onGap: wake }),
    async read() {
      const read = () => alertHistory(services, { first: NEWEST });
      return { items: [await snapshots.current().once('newest alerts', read)], more: false };
    },
  });
}

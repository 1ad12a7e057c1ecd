import { formatAgo, formatDateTime } from '../lib/formatTime.ts';
import { useNow } from './useNow.ts';

/** How long ago a time was, the time itself as its title. */
export function TimeText({ time }: { time: string }) {
  const now = useNow(5000);
  const date = new Date(time);
  return (
    <time dateTime={time} title={formatDateTime(date)}>
      {formatAgo(date, now)}
    </time>
  );
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const full = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Local time of day with seconds. */
export function formatClock(time: Date): string {
  return clock.format(time);
}

/** Local date and time with seconds. */
export function formatDateTime(time: Date): string {
  return full.format(time);
}

/** How long ago, in one unit: `now`, `12 s ago`, `5 min ago`, `3 h ago`, `6 d ago`. */
export function formatAgo(time: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - time.getTime()) / 1000);
  if (seconds < 3) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** Milliseconds as people say them: `340 ms`, `12.4 s`, `3 m 05 s`, `2 h 07 m`, `3 d 4 h`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 1) return `${Math.max(0, Math.round(milliseconds))} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} m ${two(whole % 60)} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
  const hours = Math.floor(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Seconds as people say them. */
export function formatSeconds(seconds: number): string {
  return formatDuration(seconds * 1000);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

export interface Lifetime {
  startedAt: string | null;
  endedAt: string | null;
}

/** Milliseconds from start to end, or until `now` while it runs; null before the start. */
export function runningTime(run: Lifetime, now: Date): number | null {
  if (run.startedAt === null) return null;
  const end = run.endedAt === null ? now.getTime() : Date.parse(run.endedAt);
  return Math.max(0, end - Date.parse(run.startedAt));
}

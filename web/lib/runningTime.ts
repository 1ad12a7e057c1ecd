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

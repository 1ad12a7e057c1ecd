import * as z from 'zod/mini';
import { createStore } from '#web/lib/store.ts';

const KEY = 'warren.followed';
const MOST_FOLLOWED = 20;

const followedSchema = z.array(z.object({ id: z.string(), number: z.number() }));
export type Followed = z.infer<typeof followedSchema>[number];

/** Runs of whose end this browser is to tell. */
export const followedRuns = createStore<readonly Followed[]>(read());

/** Follows a run, or no longer. */
export function setFollowed({ id, number }: Followed, followed: boolean): void {
  const others = followedRuns.get().filter((run) => run.id !== id);
  const runs = followed ? [...others, { id, number }].slice(-MOST_FOLLOWED) : others;
  followedRuns.set(runs);
  try {
    localStorage.setItem(KEY, JSON.stringify(runs));
  } catch {
    // A browser that keeps nothing follows until the page closes.
  }
}

function read(): readonly Followed[] {
  try {
    const stored = followedSchema.safeParse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
    return stored.success ? stored.data : [];
  } catch {
    return [];
  }
}

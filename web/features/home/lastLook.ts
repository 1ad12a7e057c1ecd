import * as z from 'zod/mini';
import { createStore } from '#web/lib/store.ts';

const KEY = 'warren.lastLook';
/** A visit ends when nothing was looked at for this long. */
const VISIT_MS = 30 * 60_000;
/** Where nobody has looked before: the last day. */
const FIRST_LOOK_MS = 24 * 3_600_000;

const lookSchema = z.object({
  /** Ends after this time are news. */
  since: z.string(),
  /** When the page was seen last. */
  seen: z.number(),
});

/** The time since which ends are news: when the visit before this one was over, or when news were marked as seen. */
export const newsSince = createStore<string>(begin(Date.now()));

/** Remembers that the page is looked at now. */
export function keepLooking(): void {
  write({ since: newsSince.get(), seen: Date.now() });
}

/** What has ended until now is no news any more. */
export function markSeen(): void {
  const now = Date.now();
  newsSince.set(new Date(now).toISOString());
  write({ since: newsSince.get(), seen: now });
}

function begin(now: number): string {
  const stored = read();
  if (stored === null) return new Date(now - FIRST_LOOK_MS).toISOString();
  return now - stored.seen > VISIT_MS ? new Date(stored.seen).toISOString() : stored.since;
}

function read(): z.infer<typeof lookSchema> | null {
  try {
    const parsed = lookSchema.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
    return parsed.success && !Number.isNaN(Date.parse(parsed.data.since)) ? parsed.data : null;
  } catch {
    return null;
  }
}

function write(look: z.infer<typeof lookSchema>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(look));
  } catch {
    // A browser that keeps nothing shows the last day each time.
  }
}

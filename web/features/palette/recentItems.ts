import * as z from 'zod/mini';
import type { PaletteItem } from './paletteItem.ts';

const KEY = 'warren.recent';
const MOST_KEPT = 12;

const storedSchema = z.array(z.object({ id: z.string(), label: z.string(), hint: z.string(), href: z.string() }));

/** Where this browser was last, the newest first. */
export function recentItems(): PaletteItem[] {
  try {
    const stored = storedSchema.safeParse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
    // Only places of the dashboard itself: what is stored may be of anybody.
    return stored.success ? stored.data.filter(({ href }) => /^\/(?!\/)/.test(href)) : [];
  } catch {
    return [];
  }
}

/** Remembers a place as the newest. */
export function addRecent({ id, label, hint, href }: PaletteItem): void {
  if (href === undefined) return;
  const others = recentItems().filter((item) => item.id !== id);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ id, label, hint, href }, ...others].slice(0, MOST_KEPT)));
  } catch {
    // A browser that keeps nothing offers nothing recent.
  }
}

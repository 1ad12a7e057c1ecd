/** Something that the palette offers. */
export interface PaletteItem {
  /** Never the same for two. */
  id: string;
  label: string;
  /** What tells it from others of its name: project, kind. */
  hint: string;
  /** Where it leads; without one it does something. */
  href?: string;
  act?(): void;
}

export interface PaletteGroup {
  title: string;
  items: readonly PaletteItem[];
}

/** The groups with what has all words of the text, in any order; groups that have nothing are left out. */
export function matchingGroups(groups: readonly PaletteGroup[], text: string): PaletteGroup[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter((item) => {
        const own = `${item.label} ${item.hint}`.toLowerCase();
        return words.every((word) => own.includes(word));
      }),
    }))
    .filter(({ items }) => items.length > 0);
}

/** The groups without what an earlier group has, too. */
export function eachOnce(groups: readonly PaletteGroup[]): PaletteGroup[] {
  const seen = new Set<string>();
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter(({ id }) => {
        const fresh = !seen.has(id);
        seen.add(id);
        return fresh;
      }),
    }))
    .filter(({ items }) => items.length > 0);
}

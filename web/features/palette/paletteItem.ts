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

/** The groups with what bears the text as its name put first, and groups that have it only in a hint put last. */
export function nearestFirst(groups: readonly PaletteGroup[], text: string): PaletteGroup[] {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const nearness = ({ label }: PaletteItem) => {
    const own = label.toLowerCase();
    return own === wanted ? 2 : words.every((word) => own.includes(word)) ? 1 : 0;
  };
  return groups
    .map((group) => ({ ...group, items: [...group.items].sort((a, b) => nearness(b) - nearness(a)) }))
    .sort((a, b) => nearness(b.items[0]!) - nearness(a.items[0]!));
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

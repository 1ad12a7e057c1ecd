export interface RangeClick {
  /** All rows in the order shown. */
  order: readonly string[];
  id: string;
  /** The row clicked before, where a range starts. */
  anchor: string | null;
  range: boolean;
}

/**
 * The selection after a click on a row's box: the row changes, and with `range` every row between it and the anchor
 * takes its new state.
 */
export function selectRange(selected: ReadonlySet<string>, click: RangeClick): Set<string> {
  const next = new Set(selected);
  const on = !selected.has(click.id);
  const from = click.anchor === null ? -1 : click.order.indexOf(click.anchor);
  const to = click.order.indexOf(click.id);
  const ids = click.range && from >= 0 ? click.order.slice(Math.min(from, to), Math.max(from, to) + 1) : [click.id];
  for (const id of ids) {
    if (on) next.add(id);
    else next.delete(id);
  }
  return next;
}

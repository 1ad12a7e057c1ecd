import type { SavedView } from './useViews.ts';
import { readList, writeList } from '#web/lib/listInUrl.ts';
import { clampShare } from '../workspace/share.ts';
import { readWorkspace, workspaceText } from '../workspace/workspaceText.ts';
import { readPins, writePins } from './pinnedRuns.ts';
import { type ColumnLayout, readLayout, writeWidths } from './columnLayout.ts';

/** What of the address a view can hold. */
export const LOOK_KEYS = [
  'filter',
  'order',
  'direction',
  'columns',
  'widths',
  'pinned',
  'shaded',
  'pins',
  'group',
  'value',
  'baseline',
  'layout',
  'share',
  'workspace',
] as const;
export type LookKey = (typeof LOOK_KEYS)[number];

/** How the table looks, each part as the address writes it; a part that is absent is as in a table that nobody changed. */
export type TableLook = Readonly<Partial<Record<LookKey, string | undefined>>>;

type Settings = SavedView['settings'];

export type LayoutName = 'table' | 'split' | 'curves';
const USUAL_SHARE = 45;

/** What of table and curves is shown. */
export function readLayoutName(text: string | undefined): LayoutName {
  return text === 'split' || text === 'curves' ? text : 'table';
}

/** The table's part of the page beside curves, in percent. */
export function readShare(text: string | undefined): number {
  const share = Number(text ?? USUAL_SHARE);
  return Number.isFinite(share) ? clampShare(share) : USUAL_SHARE;
}

/** In the address: not what the view says, but as in a table that nobody changed. */
const UNSET = '-';
const unsetOf = (key: LookKey) => (key === 'direction' ? 'desc' : UNSET);

/** The parts in words, for people. */
const TITLES: Readonly<Record<LookKey, string>> = {
  filter: 'filter',
  order: 'order',
  direction: 'order',
  columns: 'columns',
  widths: 'widths',
  pinned: 'pinned columns',
  shaded: 'shading',
  pins: 'pinned runs',
  group: 'groups',
  value: 'values',
  baseline: 'baseline',
  layout: 'layout',
  share: 'layout',
  workspace: 'panels',
};

/** How the table looks by the address, over a view. */
export function lookOf(search: TableLook, view: TableLook): TableLook {
  return pick((key) => {
    const given = search[key];
    return given === undefined ? view[key] : given === unsetOf(key) ? undefined : given;
  });
}

/** What the address must say for the table to look so over a view: only in what it differs. */
export function addressOf(look: TableLook, view: TableLook): Record<LookKey, string | undefined> {
  const said = pick((key) => (look[key] === view[key] ? undefined : (look[key] ?? unsetOf(key))));
  // named one by one, so that what the address said before goes
  return Object.fromEntries(LOOK_KEYS.map((key) => [key, said[key]])) as Record<LookKey, string | undefined>;
}

/** In what the table looks otherwise than a view, in words: `filter`, `columns`. */
export function differencesFrom(view: TableLook, look: TableLook): string[] {
  return [...new Set(LOOK_KEYS.filter((key) => look[key] !== view[key]).map((key) => TITLES[key]))];
}

/** How the table looks by a saved view alone. */
export function lookOfSettings(settings: Settings): TableLook {
  const columns = settings.columns ?? null;
  const text = (part: string) => (part === '' ? undefined : part);
  return pick(
    (key) =>
      ({
        filter: text(settings.filter),
        order: settings.orderBy === 'number' ? undefined : settings.orderBy,
        direction: settings.direction === 'ASC' ? 'asc' : undefined,
        columns: columns === null ? undefined : writeList(columns.map(({ name }) => name)),
        widths: text(
          writeWidths(new Map(columns?.flatMap(({ name, width }) => (width == null ? [] : [[name, width]])))),
        ),
        pinned: columns === null ? undefined : String(columns.filter(({ pinned }) => pinned).length),
        shaded: text(writeList(columns?.filter(({ shaded }) => shaded).map(({ name }) => name) ?? [])),
        pins: writePins(settings.pinnedRuns),
        group: text(writeList(settings.groupBy)),
        value: settings.values ?? undefined,
        baseline: settings.baseline ?? undefined,
        layout: settings.layout === 'TABLE' ? undefined : settings.layout.toLowerCase(),
        share: settings.tableShare === USUAL_SHARE ? undefined : String(settings.tableShare),
        workspace: settings.workspace == null ? undefined : workspaceText(settings.workspace),
      })[key],
  );
}

/** The settings to save for a table that looks so. @param shown The columns that it shows, by which usual ones are told. */
export function settingsOfLook(look: TableLook, shown: readonly string[]): Settings {
  const layout = readLayout(look, shown);
  const usual =
    look.columns === undefined && look.widths === undefined && look.pinned === undefined && look.shaded === undefined;
  return {
    filter: look.filter ?? '',
    orderBy: look.order ?? 'number',
    direction: look.direction === 'asc' ? 'ASC' : 'DESC',
    columns: usual ? null : columnSettings(layout),
    pinnedRuns: readPins(look.pins),
    groupBy: readList(look.group ?? ''),
    values: look.value ?? null,
    baseline: look.baseline ?? null,
    layout: { table: 'TABLE' as const, split: 'SPLIT' as const, curves: 'CURVES' as const }[
      readLayoutName(look.layout)
    ],
    tableShare: readShare(look.share),
    workspace: look.workspace === undefined ? null : readWorkspace(look.workspace),
  };
}

function columnSettings({ columns, widths, pinned, shaded }: ColumnLayout) {
  return columns.map((name, index) => ({
    name,
    width: widths.get(name) ?? null,
    pinned: index < pinned,
    shaded: shaded.has(name),
  }));
}

function pick(part: (key: LookKey) => string | undefined): TableLook {
  return Object.fromEntries(
    LOOK_KEYS.flatMap((key) => {
      const value = part(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

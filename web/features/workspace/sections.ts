import type { MediaSettings, Panel, Workspace } from '#src/base/contracts/workspace.ts';
import { compareHeadlines, isCounterName } from '#src/base/lib/headlineMetrics.ts';
import { withMatching } from './matchingMetrics.ts';

/** Panels under one head. */
export interface Section {
  name: string;
  panels: Panel[];
  isOpen: boolean;
}

/** Panels that people added stand under this head. */
export const ADDED = 'added';
/** Pictures, tables and whatever else there is to look at stand under this one. */
const MEDIA = 'media';
/** Panels that are there without a word. */
const AUTOMATIC = /^(line|value|media):/;
/** Metrics that only count stand under this one. */
const COUNTERS = 'counters';
/** What only counts, and what tells of the machine, is folded until somebody looks. */
const FOLDED = [COUNTERS, 'system', 'time'];

/** The panel that a metric has without a word. */
export function metricPanel(name: string): Panel {
  return { id: lineId(name), kind: 'line', metrics: [name], fields: [], width: 1, height: 1, settings: {} };
}

/** The panel that a metric of one point has without a word: its value in each run. */
export function valuePanel(name: string): Panel {
  return { ...metricPanel(name), id: `value:${name}`, kind: 'bar' };
}

/** The panel that what runs logged to look at under a name has without a word. */
export function mediaPanel(name: string): Panel {
  return { id: mediaIdOf(name), kind: 'media', metrics: [name], fields: [], width: 3, height: 2, settings: {} };
}

function mediaIdOf(name: string): string {
  return `media:${name}`;
}

export function lineId(name: string): string {
  return `line:${name}`;
}

/** The section of a metric: what stands before its first slash. */
export function sectionOfMetric(name: string): string {
  const slash = name.indexOf('/');
  return slash <= 0 ? 'metrics' : name.slice(0, slash);
}

/**
 * All panels by section: added ones first, then a panel for each metric, the sections and panels in the order in which metrics
 * tell of runs; those of one point alone behind those that have curves. Media come before what only counts or tells of the machine.
 * @param options.single Metrics of one point.
 * @param options.counters Metrics that only count, beside those that say so by their names.
 * @param words Only panels whose metrics or fields contain them; sections with some are open then.
 */
export function sectionsOf(
  names: readonly string[],
  workspace: Workspace,
  {
    words = '',
    primary = null,
    media = [],
    single = [],
    counters = [],
  }: {
    words?: string;
    primary?: string | null;
    media?: readonly string[];
    single?: readonly string[];
    counters?: readonly string[];
  } = {},
): Section[] {
  const removed = new Set(workspace.removed);
  const changed = new Map(workspace.panels.map((panel) => [panel.id, panel]));
  const sorted = [...names].sort(compareHeadlines(primary));
  const asChanged = (panel: Panel) => changed.get(panel.id) ?? panel;
  const ofMetrics = [
    ...sorted.map(metricPanel),
    ...[...single].sort(compareHeadlines(primary)).map(valuePanel),
  ].flatMap((panel) => (removed.has(panel.id) ? [] : [asChanged(panel)]));
  const ofMedia = media.map((name) => asChanged(mediaPanel(name))).filter(({ id }) => !removed.has(id));
  const sectionOf = ({ metrics: [name = ''] }: Panel) =>
    isCounterName(name) || counters.includes(name) ? COUNTERS : sectionOfMetric(name);
  const folded = ofMetrics.filter((panel) => FOLDED.includes(sectionOf(panel)));
  const automatic = new Set(names.map(lineId));
  const added = workspace.panels.filter(({ id }) => !AUTOMATIC.test(id) && !automatic.has(id));
  const sections = new Map<string, Panel[]>();
  const put = (section: string, panel: Panel) => {
    if (!matches(panel, words)) return;
    sections.set(section, [...(sections.get(section) ?? []), panel]);
  };
  for (const panel of added) put(ADDED, withMatching(panel, sorted));
  for (const panel of ofMetrics) if (!folded.includes(panel)) put(sectionOf(panel), panel);
  for (const panel of ofMedia) put(MEDIA, panel);
  for (const panel of folded) put(sectionOf(panel), panel);
  return [...sections].map(([name, panels]) => ({
    name,
    panels: inOrder(panels, workspace.order),
    isOpen: words !== '' || workspace.folded.includes(name) === FOLDED.includes(name),
  }));
}

function inOrder(panels: readonly Panel[], order: readonly string[]): Panel[] {
  const rank = (panel: Panel) => {
    const at = order.indexOf(panel.id);
    return at === -1 ? order.length : at;
  };
  return order.length === 0 ? [...panels] : [...panels].sort((a, b) => rank(a) - rank(b));
}

function matches({ metrics, fields, formula = '', pattern = '' }: Panel, words: string): boolean {
  const text = [...metrics, ...fields, formula, pattern].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The workspace with a panel as it is now; one of a metric that is as usual again is not kept. */
export function withPanel(workspace: Workspace, panel: Panel): Workspace {
  const others = workspace.panels.filter(({ id }) => id !== panel.id);
  const [name = ''] = panel.metrics;
  const usual = [mediaPanel(name), valuePanel(name)].find(({ id }) => id === panel.id) ?? metricPanel(name);
  const isUsual = JSON.stringify({ ...usual, ...panel }) === JSON.stringify(usual);
  const at = workspace.panels.findIndex(({ id }) => id === panel.id);
  const place = at === -1 ? others.length : at;
  return { ...workspace, panels: isUsual ? others : [...others.slice(0, place), panel, ...others.slice(place)] };
}

/** How media are shown where nothing is said: at the newest step. */
export const USUAL_MEDIA = { step: undefined, size: 'medium', first: 1 } as const;

/** A panel of media that shows them otherwise; what is as usual is not kept. */
export function withMedia({ media: before, ...panel }: Panel, changed: MediaSettings): Panel {
  const media = Object.fromEntries(
    Object.entries({ ...before, ...changed }).filter(
      ([key, value]) => value !== USUAL_MEDIA[key as keyof MediaSettings],
    ),
  );
  return Object.keys(media).length === 0 ? panel : { ...panel, media };
}

export function withoutPanel(workspace: Workspace, id: string): Workspace {
  return {
    ...workspace,
    panels: workspace.panels.filter((panel) => panel.id !== id),
    removed: AUTOMATIC.test(id) ? [...workspace.removed, id] : workspace.removed,
    order: workspace.order.filter((one) => one !== id),
  };
}

/** The workspace with a panel as it was before it was removed, at its place. */
export function withPanelBack(workspace: Workspace, before: Workspace, id: string): Workspace {
  const panel = before.panels.find((one) => one.id === id);
  const isThere = workspace.panels.some((one) => one.id === id);
  return {
    ...workspace,
    panels:
      panel === undefined || isThere
        ? workspace.panels
        : workspace.panels.toSpliced(before.panels.indexOf(panel), 0, panel),
    removed: workspace.removed.filter((one) => one !== id),
    order:
      workspace.order.includes(id) || !before.order.includes(id)
        ? workspace.order
        : workspace.order.toSpliced(before.order.indexOf(id), 0, id),
  };
}

/** Puts a panel at another's place in its section; those before it keep theirs. */
export function movePanel(workspace: Workspace, section: Section, move: { id: string; to: number }): Workspace {
  const ids = section.panels.map(({ id }) => id);
  const others = ids.filter((id) => id !== move.id);
  const to = Math.min(Math.max(move.to, 0), others.length);
  const moved = [...others.slice(0, to), move.id, ...others.slice(to)];
  // so many from the first stand otherwise than without a word
  let last = moved.length - 1;
  while (last >= 0 && moved[last] === ids[last] && !workspace.order.includes(moved[last]!)) last -= 1;
  const said = moved.slice(0, last + 1);
  return { ...workspace, order: [...workspace.order.filter((id) => !moved.includes(id)), ...said] };
}

/** Folds a section, or opens it. */
export function toggleSection(workspace: Workspace, name: string): Workspace {
  const folded = workspace.folded.includes(name)
    ? workspace.folded.filter((one) => one !== name)
    : [...workspace.folded, name];
  return { ...workspace, folded };
}

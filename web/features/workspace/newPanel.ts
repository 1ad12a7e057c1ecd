import { PANEL_KINDS, type Panel, type PanelKind } from '#src/base/contracts/workspace.ts';
import { readFormula } from '#web/lib/curves/formula.ts';
import { matchingMetrics } from './matchingMetrics.ts';

/** A formula's curves are drawn by the panel of curves; media have their panels without a word. */
export type PanelChoice = Exclude<PanelKind, 'media'> | 'formula';

export const PANEL_CHOICES: Readonly<Record<PanelChoice, { title: string; fields: readonly string[] }>> = {
  line: { title: 'Curves of several metrics', fields: [] },
  formula: { title: 'Curves of a formula over metrics', fields: [] },
  scatter: { title: 'Scatter: a metric by a field', fields: ['By'] },
  bar: { title: 'Bars with 95 % intervals', fields: [] },
  box: { title: 'Boxes over runs', fields: [] },
  parallel: { title: 'Parallel coordinates', fields: [] },
  importance: { title: 'Importance of parameters', fields: [] },
  heat: { title: 'Heat map of two fields', fields: ['Across', 'Up'] },
};

const OTHERS = PANEL_KINDS.filter((kind) => kind !== 'line' && kind !== 'media');
export const CHOICES_IN_ORDER: readonly PanelChoice[] = ['line', 'formula', ...OTHERS];

/** At most so many metrics in one panel. */
const MOST_METRICS = 20;

/** What stands in the form of a new panel. */
export interface PanelDraft {
  kind: PanelChoice;
  metricText: string;
  formulaText: string;
  fieldTexts: readonly string[];
}

/** What a project has to draw. */
export interface Drawable {
  metrics: readonly string[];
  /** Fields of configurations by their paths. */
  fields: readonly string[];
}

/** The panel that a draft describes, or what is wrong with the draft. */
export function newPanel(draft: PanelDraft, drawable: Drawable, taken: readonly string[]): Panel | { problem: string } {
  const read = draft.kind === 'formula' ? formulaPanel(draft, drawable) : metricPanel(draft.kind, draft, drawable);
  if ('problem' in read) return read;
  const width = read.kind === 'parallel' ? 3 : 1;
  return { id: freeId(read.kind, taken), ...read, width, height: 1, settings: {} };
}

type PanelData = Pick<Panel, 'kind' | 'metrics' | 'fields' | 'formula' | 'pattern'>;

function formulaPanel({ formulaText }: PanelDraft, { metrics }: Drawable): PanelData | { problem: string } {
  const formula = readFormula(formulaText.trim(), metrics);
  if (typeof formula === 'string') return { problem: formula };
  return { kind: 'line', metrics: [...formula.metrics], fields: [], formula: formulaText.trim() };
}

function metricPanel(
  kind: Exclude<PanelChoice, 'formula'>,
  { metricText, fieldTexts }: PanelDraft,
  { metrics, fields }: Drawable,
): PanelData | { problem: string } {
  const titles = PANEL_CHOICES[kind].fields;
  const chosen = (kind === 'line' ? metricText.split(',') : [metricText])
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .flatMap((name) => (kind === 'line' ? matchingMetrics(name, metrics) : [name]));
  const unknown = chosen.find((name) => !metrics.includes(name));
  const named = titles.map((_, index) => fieldOf(fieldTexts[index]?.trim() ?? '', fields, metrics));
  const wrong = named.indexOf(null);
  if (chosen.length === 0) return { problem: 'Name a metric.' };
  if (chosen.length > MOST_METRICS) return { problem: `At most ${MOST_METRICS} metrics, not ${chosen.length}.` };
  if (unknown !== undefined) return { problem: `No run of the project has a metric ${unknown}.` };
  if (wrong !== -1) {
    const example = fields[0] ?? 'seed';
    return { problem: `${titles[wrong]}: name a parameter (such as ${example}), kind, seed or a metric.` };
  }
  const isPattern = kind === 'line' && metricText.includes('*') && !metrics.includes(metricText.trim());
  return {
    ...{ kind, metrics: chosen, fields: named.flatMap((field) => field ?? []) },
    ...(isPattern && { pattern: metricText.trim() }),
  };
}

function freeId(kind: PanelKind, taken: readonly string[]): string {
  // `line:` stands before the panels that metrics have without a word
  const prefix = kind === 'line' ? 'lines' : kind;
  let number = 1;
  while (taken.includes(`${prefix}:${number}`)) number += 1;
  return `${prefix}:${number}`;
}

/** The column of what somebody typed: a field of runs, a path of the configuration, by its end too, or a metric; null where there is none. */
function fieldOf(text: string, fields: readonly string[], metrics: readonly string[]): string | null {
  if (text === '') return null;
  if (text === 'kind' || text === 'seed') return text;
  if (text === 'dataset') return 'config.dataset.name';
  const bare = text.replace(/^config\./, '');
  const path =
    fields.find((field) => field === bare || field === `parameters.${bare}`) ??
    fields.find((field) => field.endsWith(`.${bare}`));
  if (path !== undefined) return `config.${path}`;
  return metrics.includes(text) ? `metric."${text.replace(/["\\]/g, '\\$&')}"` : null;
}

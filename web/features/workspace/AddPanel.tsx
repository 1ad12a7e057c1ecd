import { useId, useState } from 'react';
import { PANEL_KINDS, type Panel, type PanelKind } from '#src/contracts/workspace.ts';
import { headlineOf } from '#src/lib/headlineMetrics.ts';
import { readFormula } from '#web/lib/curves/formula.ts';
import { matchingMetrics } from './matchingMetrics.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';

export interface AddPanelProps {
  metrics: readonly string[];
  /** Fields of configurations by their paths. */
  fields: readonly string[];
  /** Ids that are taken. */
  taken: readonly string[];
  onAdd(panel: Panel): void;
}

/** A formula's curves are drawn by the panel of curves; media have their panels without a word. */
type Choice = Exclude<PanelKind, 'media'> | 'formula';

const KINDS: Readonly<Record<Choice, { title: string; fields: readonly string[] }>> = {
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
const CHOICES: readonly Choice[] = ['line', 'formula', ...OTHERS];

/** A button that opens what a panel is made of. */
export function AddPanel(props: AddPanelProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add panel</Button>
      {open && <AddPanelDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function AddPanelDialog({ metrics, fields, taken, onAdd, onClose }: AddPanelProps & { onClose(): void }) {
  const id = useId();
  const [kind, setKind] = useState<Choice>('scatter');
  const [metricText, setMetricText] = useState(headlineOf([...metrics], null) ?? metrics[0] ?? '');
  const [formulaText, setFormulaText] = useState('');
  const [fieldTexts, setFieldTexts] = useState(['', '']);
  const [problem, setProblem] = useState<string | null>(null);
  const choice = KINDS[kind];
  const add = (panel: Pick<Panel, 'kind' | 'metrics' | 'fields' | 'formula' | 'pattern'>) => {
    onAdd({
      ...{ id: freeId(panel.kind, taken), ...panel },
      ...{ width: panel.kind === 'parallel' ? 3 : 1, height: 1, settings: {} },
    });
    onClose();
  };
  const submit = () => {
    if (kind === 'formula') {
      const formula = readFormula(formulaText.trim(), metrics);
      if (typeof formula === 'string') return setProblem(formula);
      return add({ kind: 'line', metrics: [...formula.metrics], fields: [], formula: formulaText.trim() });
    }
    const chosen = (kind === 'line' ? metricText.split(',') : [metricText])
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .flatMap((name) => (kind === 'line' ? matchingMetrics(name, metrics) : [name]));
    const unknown = chosen.find((name) => !metrics.includes(name));
    const named = choice.fields.map((_, index) => fieldOf(fieldTexts[index]?.trim() ?? '', fields, metrics));
    const wrong = named.indexOf(null);
    if (chosen.length === 0) return setProblem('Name a metric.');
    if (chosen.length > 20) return setProblem(`At most 20 metrics, not ${chosen.length}.`);
    if (unknown !== undefined) return setProblem(`No run of the project has a metric ${unknown}.`);
    if (wrong !== -1) {
      return setProblem(
        `${choice.fields[wrong]}: name a parameter (such as ${fields[0] ?? 'seed'}), kind, seed or a metric.`,
      );
    }
    const isPattern = kind === 'line' && metricText.includes('*') && !metrics.includes(metricText.trim());
    add({
      ...{ kind, metrics: chosen, fields: named.flatMap((field) => field ?? []) },
      ...(isPattern && { pattern: metricText.trim() }),
    });
  };
  return (
    <Dialog title="Add a panel" onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label className="field">
          <span>What</span>
          <select
            className="input"
            value={kind}
            onChange={({ target }) => setKind(CHOICES.find((one) => one === target.value) ?? kind)}
          >
            {CHOICES.map((one) => (
              <option key={one} value={one}>
                {KINDS[one].title}
              </option>
            ))}
          </select>
        </label>
        {kind === 'formula' ? (
          <label className="field">
            <span>Formula</span>
            <input
              className="input"
              placeholder={formulaExample(metrics)}
              value={formulaText}
              onChange={({ target }) => setFormulaText(target.value)}
            />
            <span className="field-hint">
              + - * / ( ), abs, sqrt, exp, log, log2, log10, pow, min, max. Metrics by their names, in quotes where
              these are more than one word; each is taken at the steps of the first.
            </span>
          </label>
        ) : (
          <label className="field">
            <span>{kind === 'line' ? 'Metrics, with commas between them; * stands for anything' : 'Metric'}</span>
            <input
              className="input"
              list={`${id}-metrics`}
              value={metricText}
              onChange={({ target }) => setMetricText(target.value)}
            />
          </label>
        )}
        {choice.fields.map((title, index) => (
          <label className="field" key={title}>
            <span>{title}</span>
            <input
              className="input"
              list={`${id}-fields`}
              placeholder="a parameter, kind, seed or a metric"
              value={fieldTexts[index]}
              onChange={({ target }) =>
                setFieldTexts(fieldTexts.map((text, at) => (at === index ? target.value : text)))
              }
            />
          </label>
        ))}
        <datalist id={`${id}-metrics`}>
          {metrics.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <datalist id={`${id}-fields`}>
          {['kind', 'seed', ...fields, ...metrics].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {problem !== null && (
          <p className="field-error" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog-foot">
          <Button onClick={onClose}>Not now</Button>
          <Button type="submit" look="primary">
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function freeId(kind: PanelKind, taken: readonly string[]): string {
  // `line:` stands before the panels that metrics have without a word
  const prefix = kind === 'line' ? 'lines' : kind;
  let number = 1;
  while (taken.includes(`${prefix}:${number}`)) number += 1;
  return `${prefix}:${number}`;
}

function formulaExample(metrics: readonly string[]): string {
  const [first = 'train/loss', second = 'valid/loss'] = metrics;
  return `"${first}" / "${second}"`;
}

/** The column of what somebody typed: a field of runs, a path of the configuration, by its end too, or a metric; null where there is none. */
export function fieldOf(text: string, fields: readonly string[], metrics: readonly string[]): string | null {
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

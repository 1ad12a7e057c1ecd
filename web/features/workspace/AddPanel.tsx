import { useId, useState } from 'react';
import { PANEL_KINDS, type Panel, type PanelKind } from '#src/contracts/workspace.ts';
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

const KINDS: Readonly<Record<PanelKind, { title: string; fields: readonly string[] }>> = {
  line: { title: 'Curves of several metrics', fields: [] },
  scatter: { title: 'Scatter: a metric by a field', fields: ['By'] },
  bar: { title: 'Bars with 95 % intervals', fields: [] },
  box: { title: 'Boxes over runs', fields: [] },
  parallel: { title: 'Parallel coordinates', fields: [] },
  importance: { title: 'Importance of parameters', fields: [] },
  heat: { title: 'Heat map of two fields', fields: ['Across', 'Up'] },
};

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
  const [kind, setKind] = useState<PanelKind>('scatter');
  const [metricText, setMetricText] = useState(metrics[0] ?? '');
  const [fieldTexts, setFieldTexts] = useState(['', '']);
  const [problem, setProblem] = useState<string | null>(null);
  const choice = KINDS[kind];
  const submit = () => {
    const chosen = (kind === 'line' ? metricText.split(',') : [metricText])
      .map((name) => name.trim())
      .filter((name) => name !== '');
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
    let number = 1;
    while (taken.includes(`${kind}:${number}`) || (kind === 'line' && taken.includes(`lines:${number}`))) number += 1;
    onAdd({
      id: `${kind === 'line' ? 'lines' : kind}:${number}`,
      ...{ kind, metrics: chosen, fields: named.flatMap((field) => field ?? []) },
      ...{ width: kind === 'parallel' ? 3 : 1, height: 1, settings: {} },
    });
    onClose();
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
            onChange={({ target }) => setKind(PANEL_KINDS.find((one) => one === target.value) ?? kind)}
          >
            {PANEL_KINDS.map((one) => (
              <option key={one} value={one}>
                {KINDS[one].title}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{kind === 'line' ? 'Metrics, with commas between them' : 'Metric'}</span>
          <input
            className="input"
            list={`${id}-metrics`}
            value={metricText}
            onChange={({ target }) => setMetricText(target.value)}
          />
        </label>
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

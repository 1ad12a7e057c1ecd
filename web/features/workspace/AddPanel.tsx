import { type FormEvent, useId, useState } from 'react';
import type { Panel } from '#src/base/contracts/workspace.ts';
import { headlineOf } from '#src/base/lib/headlineMetrics.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { Field } from '#web/components/Field.tsx';
import { SelectField } from '#web/components/SelectField.tsx';
import { CHOICES_IN_ORDER, newPanel, PANEL_CHOICES, type PanelChoice } from './newPanel.ts';

export interface AddPanelProps {
  metrics: readonly string[];
  /** Fields of configurations by their paths. */
  fields: readonly string[];
  /** Ids that are taken. */
  taken: readonly string[];
  onAdd(panel: Panel): void;
}

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
  const [kind, setKind] = useState<PanelChoice>('scatter');
  const [metricText, setMetricText] = useState(headlineOf([...metrics], null) ?? metrics[0] ?? '');
  const [formulaText, setFormulaText] = useState('');
  const [fieldTexts, setFieldTexts] = useState(['', '']);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const panel = newPanel({ kind, metricText, formulaText, fieldTexts }, { metrics, fields }, taken);
    if ('problem' in panel) return setProblem(panel.problem);
    onAdd(panel);
    onClose();
  };
  return (
    <Dialog title="Add a panel" onClose={onClose}>
      <form className="stack" noValidate onSubmit={submit}>
        <SelectField<PanelChoice>
          label="What"
          value={kind}
          options={CHOICES_IN_ORDER.map((one) => [one, PANEL_CHOICES[one].title] as const)}
          onChoose={setKind}
        />
        {kind === 'formula' ? (
          <Field
            label="Formula"
            hint="+ - * / ( ), abs, sqrt, exp, log, log2, log10, pow, min, max. Metrics by their names, in quotes where these are more than one word; each is taken at the steps of the first."
          >
            <input
              className="input"
              placeholder={formulaExample(metrics)}
              value={formulaText}
              onChange={({ target }) => setFormulaText(target.value)}
            />
          </Field>
        ) : (
          <Field label={kind === 'line' ? 'Metrics, with commas between them; * stands for anything' : 'Metric'}>
            <input
              className="input"
              list={`${id}-metrics`}
              value={metricText}
              onChange={({ target }) => setMetricText(target.value)}
            />
          </Field>
        )}
        {PANEL_CHOICES[kind].fields.map((title, index) => (
          <Field key={title} label={title}>
            <input
              className="input"
              list={`${id}-fields`}
              placeholder="a parameter, kind, seed or a metric"
              value={fieldTexts[index]}
              onChange={({ target }) =>
                setFieldTexts(fieldTexts.map((text, at) => (at === index ? target.value : text)))
              }
            />
          </Field>
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

function formulaExample(metrics: readonly string[]): string {
  const [first = 'train/loss', second = 'valid/loss'] = metrics;
  return `"${first}" / "${second}"`;
}

import { CURVE_COUNTS, type Panel } from '#src/base/contracts/workspace.ts';
import { Button } from '#web/components/Button.tsx';
import { Popover } from '#web/components/Popover.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { type FormEvent, useId, useState } from 'react';
import { headlineOf } from '#src/base/lib/headlineMetrics.ts';
import { Dialog } from '#web/components/Dialog.tsx';
import { Field } from '#web/components/Field.tsx';
import { SelectField } from '#web/components/SelectField.tsx';
import { CHOICES_IN_ORDER, newPanel, PANEL_CHOICES, type PanelChoice } from './newPanel.ts';
import { ColorChoice } from './ColorChoice.tsx';
import { fullSettings } from './curveSettings.ts';
import { PanelSettings } from './PanelSettings.tsx';
import type { SubjectUnit } from './subjects.ts';
import type { SharedTable } from './usePanelSharing.ts';

interface AddPanelProps {
  metrics: readonly string[];
  /** Fields of configurations by their paths. */
  fields: readonly string[];
  /** Ids that are taken. */
  taken: readonly string[];
  onAdd(panel: Panel): void;
}

/** A button that opens what a panel is made of. */
function AddPanel(props: AddPanelProps) {
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

type CurveCountProps = Pick<SharedTable, 'workspace' | 'onWorkspace' | 'unit' | 'subjects' | 'totalCount'>;

export interface WorkspaceToolsProps extends CurveCountProps {
  runs: SharedTable['runs'];
  metrics: readonly string[];
  fields: readonly string[];
  /** What panels are looked for by. */
  search: string;
  onSearch(text: string): void;
  /** Brings all panels back that were removed. */
  onBringBack(): void;
}

/** What panels there are, whose curves they show and how. */
export function WorkspaceTools({
  runs,
  metrics,
  fields,
  search,
  onSearch,
  onBringBack,
  ...props
}: WorkspaceToolsProps) {
  const { workspace, onWorkspace, unit, subjects } = props;
  const hiddenCount = subjects.filter(({ id }) => workspace.hidden.includes(id)).length;
  return (
    <div className="row workspace-tools">
      <input
        className="input workspace-search"
        type="search"
        aria-label="Find panels"
        placeholder="Find panels"
        value={search}
        onChange={({ target }) => onSearch(target.value)}
      />
      <CurveCount {...props} />
      {unit !== 'groups' && (
        <label className="check">
          <input
            type="checkbox"
            checked={workspace.replicates}
            onChange={({ target }) => onWorkspace({ ...workspace, replicates: target.checked })}
          />
          replicates as one
        </label>
      )}
      <ColorChoice
        colorBy={workspace.colorBy}
        runs={runs}
        onChange={(colorBy) => onWorkspace({ ...workspace, colorBy })}
      />
      <span className="spread" />
      <AddPanel
        metrics={metrics}
        fields={fields}
        taken={workspace.panels.map(({ id }) => id)}
        onAdd={(panel) => onWorkspace({ ...workspace, panels: [...workspace.panels, panel] })}
      />
      <Popover label="Settings" name="Settings of all panels" title="Settings of all panels">
        <PanelSettings
          settings={workspace.settings}
          full={fullSettings(workspace.settings, {})}
          metrics={metrics}
          withRanges={false}
          onChange={(settings) => onWorkspace({ ...workspace, settings })}
        />
      </Popover>
      {hiddenCount > 0 && (
        <Button look="quiet" onClick={() => onWorkspace({ ...workspace, hidden: [] })}>
          Show {hiddenCount === 1 ? '1 hidden curve' : `${hiddenCount} hidden curves`}
        </Button>
      )}
      {workspace.removed.length > 0 && (
        <Button look="quiet" onClick={onBringBack}>
          Bring back {workspace.removed.length} removed
        </Button>
      )}
    </div>
  );
}

/** How many subjects have curves. */
function CurveCount({ workspace, onWorkspace, unit, subjects, totalCount }: CurveCountProps) {
  return (
    <label className="check">
      <span className="muted">first</span>
      <select
        className="input"
        aria-label={`How many ${unit} have curves`}
        value={workspace.curves}
        onChange={({ target }) => onWorkspace({ ...workspace, curves: Number(target.value) })}
      >
        {[...new Set([...CURVE_COUNTS, workspace.curves])]
          .sort((a, b) => a - b)
          .map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
      </select>
      <span className="muted" aria-live="polite">
        {shownWords(unit, subjects.length, totalCount)}
      </span>
    </label>
  );
}

function shownWords(unit: SubjectUnit, shownCount: number, totalCount: number): string {
  if (unit === 'configurations') return `runs, ${shownCount} configurations`;
  if (shownCount < totalCount) return `${shownCount} of ${formatCount(totalCount)} ${unit} shown`;
  return totalCount === 1 ? `1 ${unit.replace(/s$/, '')} shown` : `all ${formatCount(totalCount)} ${unit} shown`;
}

import { useId, useEffect, useState } from 'react';
import { BAND_KINDS, type CurveSettings, SMOOTHING_KINDS } from '#src/base/contracts/workspace.ts';
import { Button } from '#web/components/Button.tsx';
import { Field } from '#web/components/Field.tsx';
import { SelectField } from '#web/components/SelectField.tsx';
import { metricOfAxis } from '#web/lib/curves/alongAxis.ts';
import { SMOOTHING_FORMULAS } from '#web/lib/curves/smoothCurve.ts';
import {
  BAND_TITLES,
  type FullSettings,
  isWeight,
  SMOOTHING_TITLES,
  usualSmoothness,
  withSetting,
} from './curveSettings.ts';
import { LabelledControl } from '#web/components/LabelledControl.tsx';

interface NumberFieldProps {
  label: string;
  /** Null: empty. */
  value: number | null;
  onChange(value: number | null): void;
}

/** A number that may be left empty; what is typed holds from Enter on, or when the field is left. */
function NumberField({ label, value, onChange }: NumberFieldProps) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  useEffect(() => {
    setText(value === null ? '' : String(value));
    setWrong(false);
  }, [value]);
  const apply = () => {
    const number = text.trim() === '' ? null : Number(text.replace('−', '-'));
    const wrong = number !== null && !Number.isFinite(number);
    setWrong(wrong);
    if (!wrong && number !== value) onChange(number);
  };
  return (
    <LabelledControl label={label} error={isWrong ? 'A number such as 0.5 or 1e-3, or nothing.' : null}>
      {(ties) => (
        <input
          {...ties}
          className="input"
          inputMode="decimal"
          placeholder="auto"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onBlur={apply}
          onKeyDown={(event) => event.key === 'Enter' && apply()}
        />
      )}
    </LabelledControl>
  );
}

export interface PanelSettingsProps {
  settings: CurveSettings;
  /** What holds now, by these settings and those beneath them. */
  full: FullSettings;
  metrics: readonly string[];
  /** Ranges belong to one panel. */
  withRanges: boolean;
  onChange(settings: CurveSettings): void;
}

const AXES = [
  ['step', 'step'],
  ['epoch', 'epoch'],
  ['relative', 'time since the first point'],
  ['time', 'time of day'],
] as const;

const OUTLIERS = [
  ['auto', 'beyond the axis where they flatten the rest'],
  ['out', 'beyond the axis'],
  ['shown', 'within the axis'],
] as const;

/** How curves are drawn: axes, ranges, smoothing, bands. */
export function PanelSettings({ settings, full, metrics, withRanges, onChange }: PanelSettingsProps) {
  const set = <Key extends keyof CurveSettings>(key: Key, value: CurveSettings[Key] | undefined) =>
    onChange(withSetting(settings, key, value));
  return (
    <div className="panel-settings">
      <AxisFields x={full.x} metrics={metrics} onX={(x) => set('x', x)} />
      <div className="row">
        <label className="check">
          <input type="checkbox" checked={full.logX} onChange={({ target }) => set('logX', target.checked)} />
          logarithmic x
        </label>
        <label className="check">
          <input type="checkbox" checked={full.logY} onChange={({ target }) => set('logY', target.checked)} />
          logarithmic y
        </label>
      </div>
      <SelectField
        label="Outliers"
        value={full.ignoreOutliers === null ? 'auto' : full.ignoreOutliers ? 'out' : 'shown'}
        options={OUTLIERS}
        onChoose={(choice) => set('ignoreOutliers', choice === 'auto' ? undefined : choice === 'out')}
      />
      {withRanges && (
        <div className="panel-ranges">
          {(['xMin', 'xMax', 'yMin', 'yMax'] as const).map((key) => (
            <NumberField
              key={key}
              label={{ xMin: 'x from', xMax: 'x to', yMin: 'y from', yMax: 'y to' }[key]}
              value={full[key]}
              onChange={(value) => set(key, value ?? undefined)}
            />
          ))}
        </div>
      )}
      <SmoothingFields settings={settings} full={full} onChange={onChange} />
      <SelectField
        label="Band of several runs"
        value={full.band}
        options={BAND_KINDS.map((kind) => [kind, BAND_TITLES[kind]] as const)}
        onChoose={(band) => set('band', band)}
        hint="Around the mean at every place that one of the runs has; between two of its points a run is a straight line."
      />
      {Object.keys(settings).length > 0 && (
        <Button onClick={() => onChange({})}>{withRanges ? 'As in the workspace' : 'As usual'}</Button>
      )}
    </div>
  );
}

interface AxisFieldsProps {
  x: string;
  metrics: readonly string[];
  onX(x: string): void;
}

/** What curves are drawn over. */
function AxisFields({ x, metrics, onX }: AxisFieldsProps) {
  const listId = useId();
  const metric = metricOfAxis(x);
  const choose = (name: string) => name !== '' && onX(`metric:${name}`);
  return (
    <>
      <Field label="Horizontal axis">
        <select
          className="input"
          value={metric === null ? x : 'metric'}
          onChange={({ target }) => onX(target.value === 'metric' ? `metric:${metrics[0] ?? 'step'}` : target.value)}
        >
          {AXES.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
          <option value="metric" disabled={metrics.length === 0}>
            another metric …
          </option>
        </select>
      </Field>
      {metric !== null && (
        <Field label="Which metric">
          <input
            className="input"
            list={listId}
            defaultValue={metric}
            onBlur={({ target }) => choose(target.value)}
            onKeyDown={(event) => event.key === 'Enter' && choose(event.currentTarget.value)}
          />
          <datalist id={listId}>
            {metrics.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </Field>
      )}
    </>
  );
}

/** How curves are smoothed, how much, and by which formula. */
function SmoothingFields({ settings, full, onChange }: Pick<PanelSettingsProps, 'settings' | 'full' | 'onChange'>) {
  const { smoothing, smoothness } = full;
  const weighs = isWeight(smoothing);
  const setSmoothness = (value: number | undefined) => onChange(withSetting(settings, 'smoothness', value));
  return (
    <>
      <SelectField
        label="Smoothing"
        value={smoothing}
        options={SMOOTHING_KINDS.map((kind) => [kind, SMOOTHING_TITLES[kind]] as const)}
        onChoose={(kind) => onChange(withSetting(withSetting(settings, 'smoothing', kind), 'smoothness', undefined))}
      />
      {smoothing !== 'none' && (
        <>
          <label className="check">
            {weighs ? 'weight' : 'points'}
            <input
              className="panel-slider"
              type="range"
              min={weighs ? 0 : 1}
              max={weighs ? 0.99 : 100}
              step={weighs ? 0.01 : 1}
              value={smoothness}
              onChange={({ target }) => setSmoothness(Number(target.value))}
            />
            <output>{weighs ? smoothness.toFixed(2) : smoothness}</output>
            {settings.smoothness !== undefined && (
              <Button look="quiet" onClick={() => setSmoothness(undefined)}>
                {`back to ${usualSmoothness(smoothing)}`}
              </Button>
            )}
          </label>
          <p className="field-hint">{SMOOTHING_FORMULAS[smoothing]}</p>
        </>
      )}
    </>
  );
}

import { useId } from 'react';
import { BAND_KINDS, type CurveSettings, SMOOTHING_KINDS } from '#src/contracts/workspace.ts';
import { Button } from '#web/components/Button.tsx';
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
import { NumberField } from './NumberField.tsx';

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

function outliersOf(ignored: boolean | null): 'auto' | 'out' | 'shown' {
  if (ignored === null) return 'auto';
  return ignored ? 'out' : 'shown';
}

/** How curves are drawn: axes, ranges, smoothing, bands. */
export function PanelSettings({ settings, full, metrics, withRanges, onChange }: PanelSettingsProps) {
  const id = useId();
  const set = <Key extends keyof CurveSettings>(key: Key, value: CurveSettings[Key] | undefined) =>
    onChange(withSetting(settings, key, value));
  const metric = metricOfAxis(full.x);
  return (
    <div className="panel-settings">
      <label className="field">
        <span className="field-label">Horizontal axis</span>
        <select
          className="input"
          value={metric === null ? full.x : 'metric'}
          onChange={({ target }) =>
            set('x', target.value === 'metric' ? `metric:${metrics[0] ?? 'step'}` : target.value)
          }
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
      </label>
      {metric !== null && (
        <label className="field">
          <span className="field-label">Which metric</span>
          <input
            className="input"
            list={`${id}-metrics`}
            defaultValue={metric}
            onBlur={({ target }) => target.value !== '' && set('x', `metric:${target.value}`)}
            onKeyDown={(event) =>
              event.key === 'Enter' &&
              event.currentTarget.value !== '' &&
              set('x', `metric:${event.currentTarget.value}`)
            }
          />
          <datalist id={`${id}-metrics`}>
            {metrics.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
      )}
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
      <label className="field">
        <span className="field-label">Outliers</span>
        <select
          className="input"
          value={outliersOf(full.ignoreOutliers)}
          onChange={({ target }) => set('ignoreOutliers', { auto: undefined, out: true, shown: false }[target.value])}
        >
          <option value="auto">beyond the axis where they flatten the rest</option>
          <option value="out">beyond the axis</option>
          <option value="shown">within the axis</option>
        </select>
      </label>
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
      <label className="field">
        <span className="field-label">Smoothing</span>
        <select
          className="input"
          value={full.smoothing}
          onChange={({ target }) => {
            const smoothing = SMOOTHING_KINDS.find((kind) => kind === target.value) ?? 'none';
            onChange(withSetting(withSetting(settings, 'smoothing', smoothing), 'smoothness', undefined));
          }}
        >
          {SMOOTHING_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {SMOOTHING_TITLES[kind]}
            </option>
          ))}
        </select>
      </label>
      {full.smoothing !== 'none' && (
        <>
          <label className="check">
            {isWeight(full.smoothing) ? 'weight' : 'points'}
            <input
              className="panel-slider"
              type="range"
              min={isWeight(full.smoothing) ? 0 : 1}
              max={isWeight(full.smoothing) ? 0.99 : 100}
              step={isWeight(full.smoothing) ? 0.01 : 1}
              value={full.smoothness}
              onChange={({ target }) => set('smoothness', Number(target.value))}
            />
            <output>{isWeight(full.smoothing) ? full.smoothness.toFixed(2) : full.smoothness}</output>
            {settings.smoothness !== undefined && (
              <Button look="quiet" onClick={() => set('smoothness', undefined)}>
                {`back to ${usualSmoothness(full.smoothing)}`}
              </Button>
            )}
          </label>
          <p className="field-hint">{SMOOTHING_FORMULAS[full.smoothing]}</p>
        </>
      )}
      <label className="field">
        <span className="field-label">Band of several runs</span>
        <select
          className="input"
          value={full.band}
          onChange={({ target }) =>
            set(
              'band',
              BAND_KINDS.find((kind) => kind === target.value),
            )
          }
        >
          {BAND_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {BAND_TITLES[kind]}
            </option>
          ))}
        </select>
        <span className="field-hint">
          Around the mean at every place that one of the runs has; between two of its points a run is a straight line.
        </span>
      </label>
      {Object.keys(settings).length > 0 && (
        <Button onClick={() => onChange({})}>{withRanges ? 'As in the workspace' : 'As usual'}</Button>
      )}
    </div>
  );
}

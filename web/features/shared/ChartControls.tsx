import { Segments } from '#web/components/Segments.tsx';
import './charts.css';

export interface ChartSettings {
  logarithmic: boolean;
  x: 'step' | 'seconds';
  /** Weight of the moving average, 0 (none) to 0.99. */
  smoothing: number;
}

export const DEFAULT_SETTINGS: ChartSettings = { logarithmic: false, x: 'step', smoothing: 0 };

export interface ChartControlsProps {
  settings: ChartSettings;
  onChange(settings: ChartSettings): void;
}

/** How all charts of a page are drawn. */
export function ChartControls({ settings, onChange }: ChartControlsProps) {
  return (
    <>
      <Segments
        label="Horizontal axis"
        options={[
          { value: 'step', label: 'Step' },
          { value: 'seconds', label: 'Time' },
        ]}
        value={settings.x}
        onChange={(x) => onChange({ ...settings, x })}
      />
      <Segments
        label="Vertical axis"
        options={[
          { value: 'linear', label: 'Linear' },
          { value: 'log', label: 'Log' },
        ]}
        value={settings.logarithmic ? 'log' : 'linear'}
        onChange={(scale) => onChange({ ...settings, logarithmic: scale === 'log' })}
      />
      <label className="check">
        Smoothing
        <input
          className="smoothing"
          type="range"
          min={0}
          max={0.99}
          step={0.01}
          value={settings.smoothing}
          onChange={(event) => onChange({ ...settings, smoothing: Number(event.target.value) })}
        />
        <output className="smoothing-value">{settings.smoothing.toFixed(2)}</output>
      </label>
    </>
  );
}

import { formatCount } from '#web/lib/formatNumber.ts';
import type { Coloring } from './pointColors.ts';

export interface LegendProps {
  legend: Coloring['legend'];
  /** By what the points are colored. */
  label: string;
  chosen: string | null;
  onChosen(label: string | null): void;
}

/** The colors and what they mean; pressing one leaves its points alone bright. */
export function Legend({ legend, label, chosen, onChosen }: LegendProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line
    <div className="cloud-legend" role="group" aria-label={`Colors: ${label}`}>
      {legend.map((entry) => (
        <button
          key={entry.label}
          type="button"
          className="cloud-legend-entry"
          aria-pressed={chosen === entry.label}
          title="Show these alone"
          onClick={() => onChosen(chosen === entry.label ? null : entry.label)}
        >
          <span className="cloud-swatch" style={{ background: `var(${entry.variable})` }} />
          {entry.label} <span className="muted">{formatCount(entry.count)}</span>
        </button>
      ))}
    </div>
  );
}

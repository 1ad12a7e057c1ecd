import { formatCount } from '#web/lib/formatNumber.ts';
import { stepAt } from './stepAt.ts';

export interface StepSliderProps {
  name: string;
  /** Rising. */
  steps: readonly number[];
  /** Null follows the newest. */
  chosen: number | null;
  onChoose(step: number | null): void;
}

/** Chooses among the steps at which something was logged under a name. */
export function StepSlider({ name, steps, chosen, onChoose }: StepSliderProps) {
  const step = chosen ?? steps.at(-1) ?? 0;
  if (steps.length <= 1) return <span className="muted">step {formatCount(step)}</span>;
  return (
    <label className="media-step">
      <span>step {formatCount(step)}</span>
      <input
        type="range"
        min={0}
        max={steps.length - 1}
        value={Math.max(0, steps.indexOf(stepAt(steps, step)))}
        aria-label={`Step of ${name}`}
        aria-valuetext={`step ${step}`}
        onChange={(event) => {
          const next = Number(event.target.value);
          onChoose(next === steps.length - 1 ? null : (steps[next] ?? null));
        }}
      />
    </label>
  );
}

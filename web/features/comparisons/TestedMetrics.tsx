import { useState } from 'react';
import { Popover } from '#web/components/Popover.tsx';
import { metricOrder } from '#web/lib/metricOrder.ts';

export interface TestedMetricsProps {
  names: readonly string[];
  /** Primary metrics of the kinds that are compared. */
  primary: ReadonlySet<string>;
  chosen: readonly string[];
  onChange(names: string[]): void;
}

/** The API tests no more at once. */
const MOST_CHOSEN = 20;
const MOST_LISTED = 100;

/** Chooses the metrics that are tested. */
export function TestedMetrics({ names, primary, chosen, onChange }: TestedMetricsProps) {
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase().split(/\s+/);
  const matches = names
    .filter((name) => words.every((word) => name.toLowerCase().includes(word)))
    .sort(metricOrder(names, primary));
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return (
    <div className="spread">
      <Popover label={`Metrics (${chosen.length})`} title="Tested metrics">
        <div className="stack compare-choice">
          <input
            className="input"
            type="search"
            aria-label="Find tested metrics"
            placeholder="Find metrics"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
          <fieldset className="stack compare-choices" aria-label="Metrics">
            {matches.slice(0, MOST_LISTED).map((name) => (
              <label className="check" key={name}>
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  disabled={chosen.length >= MOST_CHOSEN && !chosen.includes(name)}
                  onChange={() => toggle(name)}
                />
                {name}
              </label>
            ))}
            {matches.length > MOST_LISTED && (
              <p className="muted">and {matches.length - MOST_LISTED} more: type a part of the name</p>
            )}
          </fieldset>
        </div>
      </Popover>
    </div>
  );
}

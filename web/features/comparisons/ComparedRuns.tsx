import { Link } from '@tanstack/react-router';
import type { ComparedRun } from './useComparison.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { Icon } from '#web/components/Icon.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { ConfigurationMark } from '../shared/ConfigurationMark.tsx';
import { LineKey } from '../shared/LineKey.tsx';

export interface ComparedRunsProps {
  runs: readonly ComparedRun[];
  onRemove(run: ComparedRun): void;
}

/** The runs compared: the legend of all charts, too. */
export function ComparedRuns({ runs, onRemove }: ComparedRunsProps) {
  return (
    <ul className="compared" aria-label="Compared runs">
      {runs.map((run, index) => (
        <li className="panel compared-run" key={run.id}>
          <LineKey style={seriesStyle(index)} />
          <Link to="/runs/$runId" params={{ runId: run.id }}>
            #{run.number} {run.name}
          </Link>
          <StateBadge state={run.state} />
          <span className="muted">
            {run.configuration.kind}
            {run.configuration.datasetName !== null && ` · ${run.configuration.datasetName}`} · seed {run.seed}
          </span>
          <ConfigurationMark hash={run.configuration.hash} />
          {runs.length > 1 && (
            <button
              type="button"
              className="button button-quiet button-icon"
              aria-label={`Remove run ${run.number} from the comparison`}
              onClick={() => onRemove(run)}
            >
              <Icon name="close" size={11} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

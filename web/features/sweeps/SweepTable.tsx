import { Link } from '@tanstack/react-router';
import type { SweepRow } from './useSweeps.ts';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import { datasetText, readSweepDefinition } from './sweepDefinition.ts';
import { DIGITS } from '#web/lib/valueAxis.ts';
import './sweeps.css';

export function SweepTable({ sweeps }: { sweeps: readonly SweepRow[] }) {
  return (
    <section
      className="panel table-scroll"
      aria-label="Sweeps table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table className="table sweeps-table">
        <thead>
          <tr>
            <th scope="col" className="number">
              #
            </th>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">Trials</th>
            <th scope="col" className="number">
              Best
            </th>
            <th scope="col">Objective</th>
            <th scope="col">Kind</th>
            <th scope="col">Dataset</th>
            <th scope="col">Sampler</th>
            <th scope="col">Project</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {sweeps.map((sweep) => (
            <SweepLine key={sweep.id} sweep={sweep} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SweepLine({ sweep }: { sweep: SweepRow }) {
  const definition = readSweepDefinition(sweep.definition);
  const objective = sweep.best?.objective;
  return (
    <tr>
      <td className="number">{sweep.number}</td>
      <th scope="row">
        <Link to="/sweeps/$sweepId" params={{ sweepId: String(sweep.number) }}>
          {sweep.name}
        </Link>
      </th>
      <td title={sweep.reason === '' ? undefined : sweep.reason}>
        <StateBadge state={sweep.state} />
      </td>
      <td>
        <Trials sweep={sweep} />
      </td>
      <td className="number">
        {objective === null || objective === undefined ? '–' : formatNumber(toNumber(objective), DIGITS)}
      </td>
      <td>
        {definition?.metric == null
          ? '–'
          : `${definition.metric.goal === 'minimize' ? '↓' : '↑'} ${definition.metric.name}`}
      </td>
      <td>{definition?.kind ?? '–'}</td>
      <td>{datasetText(definition?.dataset) ?? '–'}</td>
      <td>{definition?.method ?? '–'}</td>
      <td>{sweep.project.name}</td>
      <td>
        <TimeText time={sweep.createdAt} />
      </td>
    </tr>
  );
}

function Trials({ sweep }: { sweep: SweepRow }) {
  const { total, running, failed, planned } = sweep.counts;
  const done = total - running;
  const words = `${formatCount(done)}${planned === null ? '' : ` of ${formatCount(planned)}`}`;
  return (
    <span className="sweeps-trials">
      {planned !== null && (
        <ProgressBar
          fraction={planned === 0 ? 1 : done / planned}
          label={`Trials of sweep ${sweep.number} that have ended`}
          look={sweep.state === 'RUNNING' ? 'running' : sweep.state === 'FINISHED' ? 'done' : 'stopped'}
        />
      )}
      <span>{words}</span>
      {failed > 0 && <span className="danger-text">{formatCount(failed)} failed</span>}
    </span>
  );
}

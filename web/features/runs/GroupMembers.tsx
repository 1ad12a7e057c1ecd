import { Link } from '@tanstack/react-router';
import { type RunGroupRow, type RunGroupsInput, useGroupRuns } from './useRunGroups.ts';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { alignedNumber, columnDecimals } from '#web/lib/alignedNumber.ts';
import { summaryValue } from '#web/lib/summaryValue.ts';
import { withVerdict } from './withVerdict.ts';

export interface GroupMembersProps {
  input: RunGroupsInput;
  group: RunGroupRow;
  metrics: readonly string[];
  /** Columns before those of the metrics. */
  columnCount: number;
  /** Which metric's test is shown. */
  tested: number;
  narrow: boolean;
}

/** The runs of a group by seed, with the last values of the metrics. */
export function GroupMembers({ input, group, metrics, columnCount, tested, narrow }: GroupMembersProps) {
  const { project, filter, inTrash } = input;
  const { data, error } = useGroupRuns({ project, filter, inTrash, group: group.id, metrics: [...metrics] });
  const width = columnCount + metrics.length + 1;
  const runs = data?.runs.edges.map(({ node }) => node) ?? [];
  if (data === undefined) {
    return (
      <tr className="groups-member">
        <td colSpan={width} className="muted">
          {error === null ? 'Loading runs …' : error.message}
        </td>
      </tr>
    );
  }
  const memberValue = (run: (typeof runs)[number], name: string) => {
    const found = run.metrics.find((metric) => metric.name === name);
    return found === undefined ? null : summaryValue(found);
  };
  const decimals = metrics.map((name) => columnDecimals(runs.flatMap((run) => memberValue(run, name) ?? [])));
  return (
    <>
      {runs.map((run) => (
        <tr className="groups-member" key={run.id}>
          <td colSpan={columnCount}>
            <span className="row">
              <Link to="/runs/$runId" params={{ runId: run.id }}>
                #{run.number} {run.name}
              </Link>
              <span className="muted">seed {run.seed}</span>
              <StateBadge state={run.state} />
            </span>
          </td>
          {withVerdict(
            metrics.map((name, metric) => {
              const value = memberValue(run, name);
              return (
                <td className="number" key={name} title={value === null ? undefined : String(value)}>
                  {value === null ? '–' : alignedNumber(value, decimals[metric]!)}
                </td>
              );
            }),
            <td key="verdict" />,
            { tested, narrow },
          )}
        </tr>
      ))}
      <tr className="groups-member">
        <td colSpan={width}>
          <Link to="/compare" search={{ runs: runs.map((run) => run.number).join(',') }}>
            Compare these runs
          </Link>
          {data.runs.totalCount > runs.length && (
            <span className="muted">
              {' '}
              the first {runs.length} of {data.runs.totalCount}
            </span>
          )}
        </td>
      </tr>
    </>
  );
}

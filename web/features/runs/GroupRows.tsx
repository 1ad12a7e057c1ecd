import { metricTexts } from '#src/base/lib/groupedTable.ts';
import type { ShownGroups } from '#src/base/lib/shownGroups.ts';
import { type RunGroupRow, type RunGroupsInput, useGroupRuns } from './useRunGroups.ts';
import { Icon } from '#web/components/Icon.tsx';
import { joinClasses } from '#web/lib/joinClasses.ts';
import type { Store } from '#web/lib/store.ts';
import { CurveToggle } from '../shared/CurveToggle.tsx';
import type { CurveMark, CurveMarks, ActOnCurve } from './curveMarks.ts';
import { groupColumns } from './groupCells.ts';
import { Link } from '@tanstack/react-router';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { alignedNumber, columnDecimals } from '#web/lib/alignedNumber.ts';
import { summaryValue } from '#web/lib/summaryValue.ts';
import { withVerdict } from './withVerdict.ts';
import { GroupVerdict } from './GroupVerdict.tsx';

interface GroupMembersProps {
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
function GroupMembers({ input, group, metrics, columnCount, tested, narrow }: GroupMembersProps) {
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

export interface GroupRowsProps {
  groups: readonly RunGroupRow[];
  table: ShownGroups;
  /** Ids of groups whose runs are shown. */
  open: ReadonlySet<string>;
  onToggle(id: string): void;
  input: RunGroupsInput;
  /** Which metric's test is shown. */
  tested: number;
  onBaseline(group: string | null): void;
  /** The curves that groups have beside the table. */
  marks: CurveMarks;
  onCurve: ActOnCurve;
  lit: Store<string | null>;
  /** On a phone what tells the group from the others stands in one column, so that metric and verdict are in sight. */
  narrow: boolean;
}

/** One row for each group, and below it its runs where they are asked for. */
export function GroupRows(props: GroupRowsProps) {
  const { groups, table, open, onToggle, input, tested, onBaseline, marks, onCurve, lit, narrow } = props;
  const columns = groupColumns(table);
  const texts = table.metrics.map((_, metric) => metricTexts(table, metric));
  return groups.map((group, index) => {
    const label = table.labels[index]!;
    const isOpen = open.has(group.id);
    // at once, not only when the tests are there: the button that was pressed stays, and the focus with it
    const isBaseline = group.isBaseline || group.id === input.baseline;
    const told = columns.map(({ texts }) => texts[index]!);
    const [first, ...cells] = narrow && told.length > 1 ? [label] : told;
    const metrics = group.metrics.map((metric, column) => (
      <td key={metric.name} className={joinClasses('number', metric.isBest && 'groups-best')}>
        <span className="groups-mean">
          {metric.isBest && (
            <>
              <Icon name="star" size={11} />
              <span className="visually-hidden">best: </span>
            </>
          )}
          {texts[column]![index]}
        </span>{' '}
        {metric.n > 0 && <span className="muted">({metric.n})</span>}
      </td>
    ));
    const verdict = (
      <td key="verdict" className="groups-verdict-cell">
        {isBaseline ? (
          <button type="button" className="groups-pin" aria-pressed="true" onClick={() => onBaseline(null)}>
            baseline
          </button>
        ) : input.baseline === null ? (
          <button
            type="button"
            className="groups-pin"
            aria-label={`Set as baseline: ${label}`}
            title="Tests whether the others are better or worse than it"
            onClick={() => onBaseline(group.id)}
          >
            set as baseline
          </button>
        ) : (
          <GroupVerdict test={group.metrics[tested]?.test ?? null} />
        )}
      </td>
    );
    return (
      <tbody key={group.id}>
        <tr
          className={joinClasses(isBaseline && 'groups-baseline')}
          data-subject={group.id}
          onPointerEnter={() => marks.has(group.id) && lit.set(group.id)}
          onPointerLeave={() => lit.set(null)}
        >
          <th scope="row">
            <button
              type="button"
              className="groups-toggle"
              aria-expanded={isOpen}
              aria-label={`Runs of ${label}`}
              onClick={() => onToggle(group.id)}
            >
              <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
            </button>
            <GroupCurve mark={marks.get(group.id)} {...{ label, onCurve }} />
            <span title={label}>{first}</span>
          </th>
          {cells.map((cell, column) => (
            <td
              key={table.heads[column + 1]}
              className={columns[column + 1]!.isNumeric ? 'number' : undefined}
              title={table.rows[index]!.cells[column + 1]}
            >
              {cell}
            </td>
          ))}
          {!narrow && <td className="number">{group.runCount}</td>}
          {withVerdict(metrics, verdict, { tested, narrow })}
        </tr>
        {isOpen && (
          <GroupMembers
            input={input}
            group={group}
            metrics={table.metrics}
            {...{ tested, narrow }}
            columnCount={narrow ? 1 : table.heads.length + 1}
          />
        )}
      </tbody>
    );
  });
}

function GroupCurve(props: { mark: CurveMark | undefined; label: string; onCurve: ActOnCurve }) {
  const { mark, label, onCurve } = props;
  if (mark === undefined) return null;
  return (
    <CurveToggle
      {...{ label, style: mark.style, isHidden: mark.isHidden }}
      onAct={(act) => onCurve(mark.subject, act)}
    />
  );
}

import { useMemo, useState } from 'react';
import type { StudyCell, StudyDetails } from './useStudies.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { RunLinks } from './RunLinks.tsx';
import { VerdictMark } from './VerdictMark.tsx';
import './reproductions.css';

type Line = StudyDetails['rows'][number];

const placeOf = (row: string, column: string) => JSON.stringify([row, column]);

/** The table as the paper prints it: in each cell what was measured, what is printed, and what is to be said of both. */
export function StudyTable({ study }: { study: StudyDetails }) {
  const { rows, columns, cells, unit } = study;
  const [chosen, setChosen] = useState<string | null>(null);
  const byPlace = useMemo(() => new Map(cells.map((cell) => [placeOf(cell.row, cell.column), cell])), [cells]);
  const shown = chosen === null ? undefined : byPlace.get(chosen);
  const groups = spansOf(columns);
  const grouped = columns.some(({ group }) => group !== '');
  return (
    <section className="panel" aria-label="Table">
      <div className="table-scroll study-scroll">
        <table className="table study-table">
          <thead>
            {grouped && (
              <tr>
                <td />
                {groups.map(({ group, key, count }) =>
                  group === '' ? (
                    <td key={key} colSpan={count} />
                  ) : (
                    <th key={key} scope="colgroup" colSpan={count} className="study-group">
                      {group}
                    </th>
                  ),
                )}
              </tr>
            )}
            <tr>
              <th scope="col">{unit === '' ? 'Measured, printed' : `Measured, printed, in ${unit}`}</th>
              {columns.map(({ name, label }) => (
                <th key={name} scope="col" className="number">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          {spansOf(rows).map(({ group, key, from, count }) => (
            <tbody key={key}>
              {group !== '' && (
                <tr>
                  <th scope="rowgroup" className="study-group" colSpan={columns.length + 1}>
                    <span>{group}</span>
                  </th>
                </tr>
              )}
              {rows.slice(from, from + count).map((row) => (
                <tr key={row.name}>
                  <th scope="row">{row.label}</th>
                  {columns.map((column) => {
                    const place = placeOf(row.name, column.name);
                    const cell = byPlace.get(place);
                    return (
                      <td key={column.name} className="number study-cell">
                        {cell !== undefined && (
                          <CellButton
                            cell={cell}
                            isChosen={chosen === place}
                            onChoose={() => setChosen(chosen === place ? null : place)}
                          />
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <div className="panel-body study-detail" aria-live="polite">
        {shown === undefined ? (
          <p className="muted">
            Mean ± deviation (seeds), the printed value, the difference. Choose a cell for its runs.
          </p>
        ) : (
          <CellDetail cell={shown} row={lineOf(rows, shown.row)} column={lineOf(columns, shown.column)} />
        )}
      </div>
    </section>
  );
}

function lineOf(lines: readonly Line[], name: string): string {
  const line = lines.find((one) => one.name === name);
  return line === undefined ? name : `${line.group} ${line.label}`.trim();
}

function CellButton({ cell, isChosen, onChoose }: { cell: StudyCell; isChosen: boolean; onChoose: () => void }) {
  const { measuredText, printedText, differenceText, verdict } = cell;
  return (
    <button
      type="button"
      className={joinClasses('study-value', isChosen && 'study-value-chosen')}
      aria-pressed={isChosen}
      onClick={onChoose}
    >
      {measuredText !== '' && <strong>{measuredText}</strong>}
      {printedText !== '' && (
        <span className="muted">
          {printedText}
          {differenceText !== '' && ` (${differenceText})`}
        </span>
      )}
      <VerdictMark verdict={verdict} />
    </button>
  );
}

function CellDetail({ cell, row, column }: { cell: StudyCell; row: string; column: string }) {
  const { measuredText, printedText, differenceText, verdict, reason, runs } = cell;
  return (
    <>
      <p>
        <strong>
          {row}, {column}
        </strong>{' '}
        <VerdictMark verdict={verdict} /> {reason}.
      </p>
      <p>
        {measuredText === '' ? 'Not measured' : `Measured ${measuredText}`}
        {printedText === '' ? '' : `, printed ${printedText}`}
        {differenceText === '' ? '' : `, difference ${differenceText}`}
        {runs.length > 0 && '. '}
        <RunLinks runs={runs} />
      </p>
    </>
  );
}

interface Span {
  group: string;
  key: string;
  from: number;
  count: number;
}

/** Neighbors of one group. */
function spansOf(lines: readonly Line[]): Span[] {
  const spans: Span[] = [];
  for (const [index, { group, name }] of lines.entries()) {
    const last = spans.at(-1);
    if (last?.group === group) last.count += 1;
    else spans.push({ group, key: name, from: index, count: 1 });
  }
  return spans;
}

import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useMemo, useRef, useState } from 'react';
import { Icon } from '#web/components/Icon.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { alignedNumber, columnDecimals } from '#web/lib/alignedNumber.ts';
import { formatValue } from '#web/lib/fieldText.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { type ParameterDigits, parameterDigits, parameterText } from '#web/lib/parameterNumber.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { DIGITS } from '#web/lib/valueAxis.ts';
import { type Order, sortTrials, type TrialColumn, trialTableColumns } from './trialTableColumns.ts';
import type { TrialSet } from './trialSet.ts';

const ROW_HEIGHT = 30;
const OVERSCAN = 10;

export interface TrialsTableProps {
  trials: TrialSet;
  /** Seeds that every trial has. */
  seeds: readonly number[];
  goal: 'minimize' | 'maximize' | null;
  /** 1 for trials that are shown. */
  passes: Uint8Array;
  best: number | null;
  onHover(index: number | null): void;
}

/** Trials that pass the filters, the best first; only rows in sight are drawn. */
export const TrialsTable = memo(function TrialsTable({ trials, seeds, goal, passes, best, onHover }: TrialsTableProps) {
  const scroller = useRef<HTMLElement>(null);
  const columns = useMemo(() => trialTableColumns(trials, seeds), [trials, seeds]);
  const [order, setOrder] = useState<Order>({ column: 'objective', descending: goal !== 'minimize' });
  const sorted = useMemo(() => sortTrials(trials, columns, order), [trials, columns, order]);
  const decimals = useMemo(
    () => columnDecimals([...trials.objectives].filter((value) => !Number.isNaN(value))),
    [trials],
  );
  const digits = useMemo(
    () => trials.parameters.map(({ values }) => parameterDigits(values.filter((value) => typeof value === 'number'))),
    [trials],
  );
  const rows = useMemo(() => sorted.filter((index) => passes[index] === 1), [sorted, passes]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (row) => rows[row] ?? row,
  });
  const shown = virtualizer.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <section
      className="panel trials-scroll"
      ref={scroller}
      aria-label="Trials"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      style={{ height: Math.min(480, (Math.max(2, rows.length) + 1.4) * ROW_HEIGHT) }}
    >
      <table className="table trials-table" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.id} column={column} order={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Spacer height={before} columns={columns.length} />}
          {shown.map(({ index: row }) => {
            const index = rows[row];
            if (index === undefined) return null;
            return (
              <tr
                key={index}
                aria-rowindex={row + 2}
                className={joinClasses(index === best && 'trials-best')}
                onPointerEnter={() => onHover(index)}
                onPointerLeave={() => onHover(null)}
              >
                {columns.map((column) => (
                  <Cell key={column.id} {...{ trials, column, index, decimals, digits }} isBest={index === best} />
                ))}
              </tr>
            );
          })}
          {after > 0 && <Spacer height={after} columns={columns.length} />}
        </tbody>
      </table>
    </section>
  );
});

function Head({ column, order, onOrder }: { column: TrialColumn; order: Order; onOrder(order: Order): void }) {
  const active = order.column === column.id;
  return (
    <th
      scope="col"
      className={column.isNumber ? 'number' : undefined}
      title={column.hint}
      aria-sort={active ? (order.descending ? 'descending' : 'ascending') : undefined}
    >
      {column.value === null ? (
        column.title
      ) : (
        <button
          type="button"
          className="trials-sort"
          onClick={() => onOrder({ column: column.id, descending: active ? !order.descending : column.isNumber })}
        >
          {column.title}
          {active && <Icon name={order.descending ? 'descending' : 'ascending'} size={11} />}
        </button>
      )}
    </th>
  );
}

function Cell({
  trials,
  column,
  index,
  decimals,
  digits,
  isBest,
}: {
  trials: TrialSet;
  column: TrialColumn;
  index: number;
  /** Of objectives, so that they stand under each other. */
  decimals: number | null;
  /** Of the numbers of each parameter. */
  digits: readonly ParameterDigits[];
  isBest: boolean;
}) {
  switch (column.type) {
    case 'trial':
      return (
        <th scope="row" className="number">
          {index}
          {isBest && <span className="visually-hidden"> (best)</span>}
        </th>
      );
    case 'state':
      return (
        <td title={trials.errors[index] ?? undefined}>
          <StateBadge state={trials.states[index]!} />
        </td>
      );
    case 'objective': {
      const value = trials.objectives[index]!;
      const stopped = trials.stopped.values[index]!;
      if (!Number.isNaN(stopped)) {
        return (
          <td className="number muted" title="Where it was stopped early">
            {formatNumber(stopped, DIGITS)} at {trials.stopped.rungs[index]}
          </td>
        );
      }
      return <td className="number">{Number.isNaN(value) ? '–' : alignedNumber(value, decimals)}</td>;
    }
    case 'parameter': {
      const value = trials.parameters[column.place]?.values[index];
      return (
        <td className={column.isNumber ? 'number' : undefined} title={formatValue(value)}>
          {value === null || value === undefined ? (
            <span className="muted">–</span>
          ) : typeof value === 'number' ? (
            parameterText(value, digits[column.place]!)
          ) : (
            formatValue(value)
          )}
        </td>
      );
    }
    case 'seed': {
      const run = trials.runs[index]?.find(({ seed }) => seed === column.place);
      if (run === undefined) return <td className="number">–</td>;
      const value = Number.isNaN(run.value) ? run.state.toLowerCase() : alignedNumber(run.value, decimals);
      return (
        <td className="number">
          <Link to="/runs/$runId" params={{ runId: run.id }} title={`Run ${run.number}, ${run.state.toLowerCase()}`}>
            {value}
          </Link>
        </td>
      );
    }
    case 'runs':
      return (
        <td>
          {trials.runs[index]?.map((run) => (
            <Link key={run.id} className="trials-run" to="/runs/$runId" params={{ runId: run.id }}>
              #{run.number}
            </Link>
          ))}
        </td>
      );
  }
}

/** Stands for rows that are not drawn. */
function Spacer({ height, columns }: { height: number; columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row is not focusable
    <tr aria-hidden="true" className="trials-spacer">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

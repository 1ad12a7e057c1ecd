import { memo } from 'react';
import type { MetricSummary } from './useRuns.ts';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { summaryOrigin, summaryValue } from '#web/lib/summaryValue.ts';
import { alignedNumber } from '#web/lib/alignedNumber.ts';
import { cellStyle } from './cellStyle.ts';

export interface MetricCellProps {
  /** Undefined: the run has no such metric, or it has not come yet. */
  summary: MetricSummary | undefined;
  /** Of the column, so that its numbers stand under each other; null: each in its own way. */
  decimals: number | null;
  /** Its column, from 1. */
  place: number;
  /** Which of the pinned columns it is in, from 0. */
  pin: number | undefined;
  heat: number | null;
}

/**
 * A metric of a run. There may be thousands of columns of them, so that it is one element, drawn again only when what it shows
 * changes: not when the row gets other columns beside it.
 */
export const MetricCell = memo(function MetricCell({ summary, decimals, place, pin, heat }: MetricCellProps) {
  const value = summary === undefined ? null : summaryValue(summary);
  return (
    <td
      aria-colindex={place}
      className={joinClasses(
        'number',
        pin !== undefined && 'runs-pinned',
        heat !== null && 'runs-heat',
        value === null && 'muted',
      )}
      style={cellStyle(pin, heat)}
      title={summary === undefined ? undefined : `${value} ${summaryOrigin(summary)}`}
    >
      {value === null ? '–' : alignedNumber(value, decimals)}
    </td>
  );
});

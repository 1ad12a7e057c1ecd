import { joinClasses } from '#web/lib/joinClasses.ts';
import { formatSeconds } from '#web/lib/formatDuration.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import type { CurveHit } from './nearestCurve.ts';

export interface LineTipProps {
  x: number;
  /** Where the pointer is, in pixels. */
  left: number;
  /** Of the plot. */
  width: number;
  hits: readonly CurveHit[];
  axisTitle: string;
  isTime: boolean;
  /** x is seconds since a beginning. */
  isDuration: boolean;
  lit: string | null;
  /** It follows keys, not a pointer: screen readers say it. */
  told: boolean;
}

const MOST_LINES = 10;

/** What the pointer shows: x, and the values of the curves that are nearest, with their bands and of how many runs they are. */
export function LineTip({ x, left, width, hits, axisTitle, isTime, isDuration, lit, told }: LineTipProps) {
  if (hits.length === 0) return null;
  const isRight = left > width / 2;
  return (
    <div
      className="line-tip"
      {...(told ? { role: 'status' } : { 'aria-hidden': true })}
      style={isRight ? { right: width - left + 12 } : { left: left + 12 }}
    >
      <div className="line-tip-head">
        {isTime
          ? new Date(x).toLocaleString('en-GB')
          : `${axisTitle} ${(isDuration ? formatSeconds : formatNumber)(hits[0]?.curve.x[hits[0].index] ?? x)}`}
      </div>
      {hits.slice(0, MOST_LINES).map(({ curve, index }) => (
        <div key={curve.key} className={joinClasses('line-tip-line', curve.id === lit && 'line-tip-lit')}>
          <span className="line-tip-key" style={{ background: `var(${curve.style.colorVariable})` }} />
          <span className="line-tip-label">{curve.label}</span>
          <b>{formatNumber(curve.y[index]!)}</b>
          {curve.low !== null && curve.high !== null && (
            <span className="line-tip-band">
              {formatNumber(curve.low[index]!, 4)} to {formatNumber(curve.high[index]!, 4)}
            </span>
          )}
          {curve.n !== null && <span className="line-tip-band">n {curve.n[index]}</span>}
        </div>
      ))}
      {hits.length > MOST_LINES && <div className="line-tip-head">and {hits.length - MOST_LINES} more</div>}
    </div>
  );
}

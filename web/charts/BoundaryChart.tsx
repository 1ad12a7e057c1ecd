import { formatNumber } from '../lib/formatNumber.ts';
import './plainChart.css';

export interface BoundaryPoint {
  x: number;
  y: number;
  /** Ends of an interval around y; a point alone without them. */
  low?: number;
  high?: number;
}

export interface BoundaryChartProps {
  points: readonly BoundaryPoint[];
  /** Distances from 0, up and down alike, that the points are held against. */
  boundary?: readonly { x: number; y: number }[];
  /** The axis ends here. */
  lastX: number;
  label: string;
  xTitle: string;
  yTitle: string;
}

const WIDTH = 480;
const HEIGHT = 240;
const LEFT = 64;
const RIGHT = 14;
const TOP = 10;
const BOTTOM = 38;
/** Intervals and boundaries of early looks are cut off where they exceed the rest by so much. */
const ROOM = 1.6;

/** Values look by look around a line at 0, with their intervals or beside a boundary. */
export function BoundaryChart({ points, boundary = [], lastX, label, xTitle, yTitle }: BoundaryChartProps) {
  const extent = extentOf(points, boundary);
  const across = (x: number) => LEFT + ((WIDTH - LEFT - RIGHT) * x) / lastX;
  const up = (y: number) => {
    const cut = Math.max(-extent, Math.min(extent, y));
    return TOP + ((HEIGHT - TOP - BOTTOM) * (extent - cut)) / (2 * extent);
  };
  const path = (sign: 1 | -1) =>
    boundary
      .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${across(x).toFixed(1)} ${up(sign * y).toFixed(1)}`)
      .join('');
  return (
    <svg className="plain-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {[-1, -0.5, 0, 0.5, 1].map((part) => (
        <g key={part}>
          <line
            className={part === 0 ? undefined : 'plain-chart-grid'}
            x1={LEFT}
            x2={WIDTH - RIGHT}
            y1={up(part * extent)}
            y2={up(part * extent)}
          />
          <text className="plain-chart-left" x={LEFT - 5} y={up(part * extent) + 4}>
            {formatNumber(part * extent, 2)}
          </text>
        </g>
      ))}
      {ticksUpTo(lastX).map((x) => (
        <text key={x} x={across(x)} y={HEIGHT - BOTTOM + 14}>
          {x}
        </text>
      ))}
      {boundary.length > 0 && <path className="plain-chart-boundary" d={path(1) + path(-1)} />}
      {points.map(({ x, y, low, high }) => (
        <g key={x}>
          {low !== undefined && high !== undefined && (
            <path d={`M${across(x).toFixed(1)} ${up(low).toFixed(1)}V${up(high).toFixed(1)}`} />
          )}
          <circle cx={across(x)} cy={up(y)} r={3}>
            <title>{pointText({ x, y, low, high }, xTitle)}</title>
          </circle>
        </g>
      ))}
      <text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 4}>
        {xTitle}
      </text>
      <text transform={`translate(11 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)`}>{yTitle}</text>
    </svg>
  );
}

interface ShownPoint {
  x: number;
  y: number;
  low: number | undefined;
  high: number | undefined;
}

function pointText({ x, y, low, high }: ShownPoint, xTitle: string): string {
  const interval = low === undefined || high === undefined ? '' : `, ${formatNumber(low)} to ${formatNumber(high)}`;
  return `${xTitle} ${x}: ${formatNumber(y)}${interval}`;
}

/** Half of the height: all points, and what of intervals and boundaries comes late. */
function extentOf(points: readonly BoundaryPoint[], boundary: readonly { y: number }[]): number {
  const values = points.map(({ y }) => Math.abs(y));
  const last = points.at(-1);
  const ends = [Math.abs(last?.low ?? 0), Math.abs(last?.high ?? 0), boundary.at(-1)?.y ?? 0];
  const extent = Math.max(...values, ...ends) * (boundary.length > 0 ? ROOM : 1.1);
  return extent > 0 ? extent : 1;
}

function ticksUpTo(last: number): number[] {
  const step = Math.max(1, Math.ceil(last / 10));
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step);
}

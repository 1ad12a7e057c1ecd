import { formatCount } from '../lib/formatNumber.ts';
import { decades } from './decades.ts';
import './plainChart.css';

export interface LogLogPoint {
  /** At least 1. */
  x: number;
  /** Points at 0 are left out: they have no place on a logarithmic scale. */
  y: number;
}

export interface LogLogChartProps {
  points: readonly LogLogPoint[];
  label: string;
  xTitle: string;
  yTitle: string;
}

const WIDTH = 480;
const HEIGHT = 240;
const LEFT = 54;
const RIGHT = 28;
const TOP = 10;
const BOTTOM = 38;

/** A curve with both axes logarithmic: a power law is a straight line. */
export function LogLogChart({ points, label, xTitle, yTitle }: LogLogChartProps) {
  const shown = points.filter(({ x, y }) => x >= 1 && y >= 1);
  const [xs, ys] = [decades(Math.max(1, ...shown.map(({ x }) => x))), decades(Math.max(1, ...shown.map(({ y }) => y)))];
  const across = (x: number) => LEFT + ((WIDTH - LEFT - RIGHT) * Math.log10(x)) / Math.log10(xs.at(-1) ?? 10);
  const up = (y: number) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * Math.log10(y)) / Math.log10(ys.at(-1) ?? 10);
  const path = shown.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${across(x).toFixed(1)} ${up(y).toFixed(1)}`);
  return (
    <svg className="plain-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {xs.map((x) => (
        <g key={`x${x}`}>
          <line className="plain-chart-grid" x1={across(x)} x2={across(x)} y1={TOP} y2={HEIGHT - BOTTOM} />
          <text x={across(x)} y={HEIGHT - BOTTOM + 14}>
            {formatCount(x)}
          </text>
        </g>
      ))}
      {ys.map((y) => (
        <g key={`y${y}`}>
          <line className="plain-chart-grid" x1={LEFT} x2={WIDTH - RIGHT} y1={up(y)} y2={up(y)} />
          <text className="plain-chart-left" x={LEFT - 5} y={up(y) + 4}>
            {formatCount(y)}
          </text>
        </g>
      ))}
      <path d={path.join('')} />
      {shown.map(({ x, y }) => (
        <circle key={x} cx={across(x)} cy={up(y)} r={2.5}>
          <title>{`${xTitle} ${formatCount(x)}: ${formatCount(y)}`}</title>
        </circle>
      ))}
      <text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 4}>
        {xTitle}
      </text>
      <text transform={`translate(11 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)`}>{yTitle}</text>
    </svg>
  );
}

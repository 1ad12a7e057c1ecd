import { formatCount } from '../lib/formatNumber.ts';
import './plainChart.css';

export interface Bar {
  name: string;
  value: number;
}

const WIDTH = 480;
const HEIGHT = 200;
const LEFT = 8;
const TOP = 18;
const BOTTOM = 34;
/** About the width of a character, and the height of a line. */
const CHARACTER = 6.5;
const LINE = 13;

export interface BarChartProps {
  bars: readonly Bar[];
  /** What it shows, for those who do not see it. */
  label: string;
  xTitle: string;
  /** How values are written; as counts unless given. */
  format?: (value: number) => string;
}

/** One bar a bin, or a name, its value above it. Values below 0 have no bar. */
export function BarChart({ bars, label, xTitle, format = formatCount }: BarChartProps) {
  const greatest = Math.max(Number.MIN_VALUE, ...bars.map((bar) => bar.value));
  const step = (WIDTH - 2 * LEFT) / Math.max(1, bars.length);
  // long names take turns on two lines
  const longest = Math.max(0, ...bars.map(({ name }) => name.length));
  const lines = longest * CHARACTER > step ? 2 : 1;
  const floor = HEIGHT - BOTTOM - (lines - 1) * LINE;
  return (
    <svg className="plain-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {bars.map(({ name, value }, index) => {
        const height = Math.max(0, ((floor - TOP) * value) / greatest);
        const middle = LEFT + (index + 0.5) * step;
        return (
          <g key={name}>
            <title>{`${name}: ${format(value)}`}</title>
            <rect x={middle - 0.42 * step} y={floor - height} width={0.84 * step} height={height} />
            <text x={middle} y={floor - height - 4}>
              {format(value)}
            </text>
            <text x={middle} y={floor + LINE * (1 + (index % lines))}>
              {name}
            </text>
          </g>
        );
      })}
      <line x1={LEFT} x2={WIDTH - LEFT} y1={floor} y2={floor} />
      <text x={WIDTH / 2} y={HEIGHT - 4}>
        {xTitle}
      </text>
    </svg>
  );
}

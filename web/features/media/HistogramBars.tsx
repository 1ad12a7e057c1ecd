import { formatNumber } from '#web/lib/formatNumber.ts';
import { histogramOf } from './histogram.ts';

const WIDTH = 480;
const HEIGHT = 160;

/** The bars of one histogram, as wide as their bins. */
export function HistogramBars({ metadata, label }: { metadata: unknown; label: string }) {
  const histogram = histogramOf(metadata);
  if (histogram === null) return <p className="danger-text">It has no bins that can be shown.</p>;
  const { edges, counts } = histogram;
  const [low, high] = [edges[0]!, edges.at(-1)!];
  const tallest = Math.max(...counts, Number.MIN_VALUE);
  const x = (edge: number) => (high > low ? ((edge - low) / (high - low)) * WIDTH : 0);
  const described = `${label}: ${counts.length} bins from ${formatNumber(low)} to ${formatNumber(high)}, the largest has ${formatNumber(tallest)}`;
  return (
    <div className="media-bars">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={described}>
        {counts.map((count, i) => {
          const height = (count / tallest) * HEIGHT;
          const left = x(edges[i]!);
          return (
            <rect
              key={edges[i]}
              x={left}
              y={HEIGHT - height}
              width={Math.max(0.5, x(edges[i + 1]!) - left - 0.5)}
              height={height}
            >
              <title>{`${formatNumber(edges[i]!)} to ${formatNumber(edges[i + 1]!)}: ${formatNumber(count)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="media-bars-axis" aria-hidden="true">
        <span>{formatNumber(low)}</span>
        <span>{formatNumber(high)}</span>
      </div>
    </div>
  );
}

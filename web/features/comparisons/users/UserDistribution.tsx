import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import type { ConfigurationTest } from '#web/features/comparisons/usePairedTests.ts';

const [WIDTH, HEIGHT] = [160, 26];

/** How users' differences from the baseline are distributed: those below to the left, those above to the right of the line. */
export function UserDistribution({ users }: { users: NonNullable<ConfigurationTest['users']> }) {
  const { above, below, equal, counts } = users;
  const limit = toNumber(users.limit);
  const most = Math.max(1, ...counts);
  const step = WIDTH / counts.length;
  const text = `${formatCount(above)} users above, ${formatCount(equal)} equal, ${formatCount(below)} below; by up to ${formatNumber(limit)}`;
  return (
    <span className="user-distribution" title={text}>
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        {counts.map((count, index) => {
          const height = count === 0 ? 0 : Math.max(1, (count / most) * HEIGHT);
          const side = index < counts.length / 2 ? 'user-below' : 'user-above';
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place
              key={index}
              className={side}
              x={index * step}
              y={HEIGHT - height}
              width={Math.max(1, step - 1)}
              height={height}
            />
          );
        })}
        <line className="difference-zero" x1={WIDTH / 2} x2={WIDTH / 2} y1="0" y2={HEIGHT} />
      </svg>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

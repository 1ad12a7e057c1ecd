import { sparklinePath } from './sparklinePath.ts';

const WIDTH = 116;
const HEIGHT = 20;

/** A curve without axes, for the eye: its last value stands in the metric's own column. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  return (
    <svg className="runs-sparkline" width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <path d={sparklinePath(values, WIDTH, HEIGHT)} fill="none" stroke="currentColor" strokeWidth="1.25" />
    </svg>
  );
}

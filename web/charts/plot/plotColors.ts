import { type ChartColors, readChartColors } from '../chartColors.ts';

/** Colours of points and lines from bad to good, by brightness, so that they are told apart without seeing hues. */
export const RAMP_STEPS = 24;
const STOPS = 5;

export interface PlotColors extends ChartColors {
  /** From bad to good. */
  ramp: readonly string[];
  /** Of what has no objective. */
  none: string;
  /** Of what a filter leaves out. */
  out: string;
}

/** The colours of `theme`, which the page must have. */
export function readPlotColors(theme: string): PlotColors {
  const colors = readChartColors(theme);
  const stops = Array.from({ length: STOPS }, (_, index) => parts(colors.of(`--ramp-${index + 1}`)));
  const ramp = Array.from({ length: RAMP_STEPS }, (_, step) => {
    const at = (step / (RAMP_STEPS - 1)) * (STOPS - 1);
    const [low, high] = [stops[Math.floor(at)]!, stops[Math.min(STOPS - 1, Math.floor(at) + 1)]!];
    return `rgb(${low.map((value, part) => Math.round(value + (high[part]! - value) * (at % 1))).join(' ')})`;
  });
  return { ...colors, ramp, none: colors.muted, out: colors.line };
}

/** Red, green and blue of `#rrggbb`. */
function parts(color: string): number[] {
  return [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16) || 0);
}

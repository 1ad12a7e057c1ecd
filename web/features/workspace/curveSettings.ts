import type { BandKind, CurveSettings, SmoothingKind } from '#src/base/contracts/workspace.ts';
import { type AxisName, EPOCH_METRICS, metricOfAxis } from '#web/lib/curves/alongAxis.ts';

/** Settings with nothing left out. */
export interface FullSettings {
  x: AxisName;
  logX: boolean;
  logY: boolean;
  xMin: number | null;
  xMax: number | null;
  yMin: number | null;
  yMax: number | null;
  /** Null: where they would flatten the other curves. */
  ignoreOutliers: boolean | null;
  smoothing: SmoothingKind;
  smoothness: number;
  band: BandKind;
}

/** The settings of a panel: its own, else the workspace's, else the usual ones. */
export function fullSettings(workspace: CurveSettings, panel: CurveSettings): FullSettings {
  const set = { ...workspace, ...panel };
  const smoothing = set.smoothing ?? 'none';
  return {
    x: set.x ?? 'step',
    logX: set.logX ?? false,
    logY: set.logY ?? false,
    xMin: set.xMin ?? null,
    xMax: set.xMax ?? null,
    yMin: set.yMin ?? null,
    yMax: set.yMax ?? null,
    ignoreOutliers: set.ignoreOutliers ?? null,
    smoothing,
    smoothness: set.smoothness ?? usualSmoothness(smoothing),
    band: set.band ?? 'deviation',
  };
}

/** A weight for moving averages, points for the others. */
export function usualSmoothness(kind: SmoothingKind): number {
  return { none: 0, exponential: 0.6, timeWeighted: 0.6, gaussian: 3, running: 5 }[kind];
}

export function isWeight(kind: SmoothingKind): boolean {
  return kind === 'exponential' || kind === 'timeWeighted';
}

/** Metrics that an axis needs beside those that are drawn. */
export function metricsOfAxis(axis: AxisName): readonly string[] {
  if (axis === 'epoch') return EPOCH_METRICS;
  const metric = metricOfAxis(axis);
  return metric === null ? [] : [metric];
}

/** The settings with one changed; undefined takes it back. */
export function withSetting<Key extends keyof CurveSettings>(
  settings: CurveSettings,
  key: Key,
  value: CurveSettings[Key] | undefined,
): CurveSettings {
  const { [key]: _, ...others } = settings;
  return value === undefined ? others : { ...others, [key]: value };
}

export const BAND_TITLES: Readonly<Record<BandKind, string>> = {
  none: 'none',
  deviation: 'standard deviation',
  error: 'standard error',
  interval: '95 % interval of the mean',
  extremes: 'smallest to largest',
};

export const SMOOTHING_TITLES: Readonly<Record<SmoothingKind, string>> = {
  none: 'none',
  exponential: 'exponential',
  timeWeighted: 'time-weighted',
  gaussian: 'Gaussian',
  running: 'running mean',
};

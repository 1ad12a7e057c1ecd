import { useMemo } from 'react';
import type { Panel } from '#src/base/contracts/workspace.ts';
import type { CurveSet } from '#web/features/metrics/knownCurves.ts';
import { useCurveSets, useFinerCurves } from '#web/features/metrics/useCurves.ts';
import type { PlotRange } from '#web/charts/lines/plotCurve.ts';
import { countValues } from '#web/charts/undrawable.ts';
import { type fullSettings, metricsOfAxis } from './curveSettings.ts';
import { formulaSets, panelCurves, stepsWithin, withFiner } from './panelCurves.ts';
import { usePanelShared } from './panelContext.ts';
import { hasLive, type Subject } from './subjects.ts';

export interface LineCurvesOptions {
  settings: ReturnType<typeof fullSettings>;
  inSight: boolean;
  /** Which part of the axis is looked at; null: all of it. */
  zoom: PlotRange | null;
}

/** The curves of a panel, read in more points where a part of them is looked at, and how many of its values cannot be drawn. */
export function useLineCurves(panel: Panel, { settings, inSight, zoom }: LineCurvesOptions) {
  const { store, subjects } = usePanelShared();
  const { metrics } = panel;
  const guides = useMemo(
    () => metricsOfAxis(settings.x).filter((name) => !metrics.includes(name)),
    [settings.x, metrics],
  );
  const names = useMemo(() => [...metrics, ...guides], [metrics, guides]);
  const sets = useCurveSets(store, names, inSight);
  const others = useMemo(() => sets.flatMap((set) => set ?? []), [sets]);
  const steps = useMemo(
    () =>
      zoom === null ? null : stepsWithin(sets.slice(0, metrics.length), others, { range: zoom, axis: settings.x }),
    [zoom, sets, others, metrics, settings.x],
  );
  const finer = useFinerCurves(
    // of runs under way the last steps change all the time: what is there is fine enough
    steps === null || subjects.some(hasLive)
      ? null
      : { runIds: subjects.flatMap(({ runs }) => runs.map(({ id }) => id)), names, ...steps },
  );
  const fine = finer.data;
  const drawn = useMemo(
    () =>
      formulaSets(
        panel,
        sets.slice(0, metrics.length).map((set) => withFiner(set, fine ?? [])),
      ),
    [sets, fine, metrics, panel],
  );
  const curves = useMemo(
    () =>
      panelCurves(
        drawn,
        (withFiner(others, fine ?? []) ?? others).filter(({ name }) => guides.includes(name) || metrics.includes(name)),
        { metrics: panel.formula === undefined ? metrics : [panel.formula], subjects, settings },
      ),
    [drawn, others, fine, metrics, guides, subjects, settings, panel],
  );
  const counts = useMemo(() => countValues(valuesOf(drawn, subjects)), [drawn, subjects]);
  return { curves, counts, isRead: sets.slice(0, metrics.length).some((set) => set !== null) };
}

/** All values that the subjects have, of which a curve may be the mean, or a smoothed one. */
function valuesOf(sets: readonly (CurveSet | null)[], subjects: readonly Subject[]): (readonly number[])[] {
  const shown = new Set(subjects.flatMap(({ runs }) => runs.map(({ id }) => id)));
  return sets.flatMap((set) => (set ?? []).flatMap(({ runId, values }) => (shown.has(runId) ? [values] : [])));
}

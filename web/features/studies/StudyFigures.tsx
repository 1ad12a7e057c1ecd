import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { StudyFigure, StudyPanel, StudySeries } from './useStudies.ts';
import { BarChart } from '#web/charts/BarChart.tsx';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import { ChartCard } from '../shared/ChartCard.tsx';
import { LineKey } from '../shared/LineKey.tsx';
import type { Curve } from '#web/charts/curve.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import './reproductions.css';

/** The lines of a panel with a band of one deviation; what is printed is dashed, in the color of its line. */
function panelCurves({ series, x: axis }: Pick<StudyPanel, 'series' | 'x'>): Curve[] {
  return series.flatMap((one, index) => {
    const style = seriesStyle(index);
    const measured = pointsOf(one, one.means, axis);
    const printed = pointsOf(one, one.printed, axis);
    const curves: Curve[] = [];
    if (measured.x.length > 0) {
      const spread = measured.at.map((at) => toNumber(one.standardDeviations[at] ?? 0));
      const hasBand = spread.some((value) => value > 0);
      curves.push({
        id: `${index} measured`,
        label: one.shortened ? `${one.label} (shortened)` : one.label,
        style,
        x: measured.x,
        y: measured.y,
        low: hasBand ? measured.y.map((value, at) => value - spread[at]!) : null,
        high: hasBand ? measured.y.map((value, at) => value + spread[at]!) : null,
      });
    }
    if (printed.x.length > 0) {
      const dashed = { ...style, dash: [4, 4] };
      const { x, y } = printed;
      curves.push({
        id: `${index} printed`,
        label: `${one.label}, printed`,
        style: dashed,
        x,
        y,
        low: null,
        high: null,
      });
    }
    return curves;
  });
}

/** Points with a number on both axes, by x; by its logarithm to base 10 on a logarithmic axis. */
function pointsOf(
  { x }: StudySeries,
  values: StudySeries['means'],
  { logarithmic }: StudyPanel['x'],
): { x: number[]; y: number[]; at: number[] } {
  const points = x.flatMap((text, at) => {
    const value = values[at] ?? null;
    const place = logarithmic ? Math.log10(Number(text)) : Number(text);
    return value === null || !Number.isFinite(place) ? [] : [{ x: place, y: toNumber(value), at }];
  });
  points.sort((a, b) => a.x - b.x);
  return { x: points.map((one) => one.x), y: points.map((one) => one.y), at: points.map((one) => one.at) };
}

/** The figures, drawn from finished runs beside what the paper's show. */
export function StudyFigures({ figures }: { figures: readonly StudyFigure[] }) {
  return (
    <>
      {figures.map((figure) => (
        <section className="panel panel-body study-figure" key={figure.name} aria-label={figure.title}>
          <h2>{figure.title}</h2>
          <p>
            <span className="muted">The paper’s figure:</span> {figure.shows}
          </p>
          <div className="study-panels">
            {figure.panels.map((panel) => (
              <Panel key={panel.title} panel={panel} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

function Panel({ panel }: { panel: StudyPanel }) {
  if (panel.form === 'picture') return <Picture panel={panel} />;
  const reasons = panel.series.filter(({ reason }) => reason !== '').map(({ label, reason }) => `${label}: ${reason}`);
  return (
    <div className="study-panel">
      {panel.form === 'line' ? <Lines panel={panel} /> : <Bars panel={panel} />}
      {panel.series.some(({ shortened }) => shortened) && (
        <p className="muted">Shortened runs: less training or data than the paper gives.</p>
      )}
      {reasons.length > 0 && (
        <p className="muted">
          {reasons.slice(0, 3).join('; ')}
          {reasons.length > 3 ? `; and ${reasons.length - 3} more` : ''}
        </p>
      )}
    </div>
  );
}

function Lines({ panel }: { panel: StudyPanel }) {
  const curves = useMemo(() => panelCurves(panel), [panel]);
  const settings = { logarithmic: panel.y.logarithmic, x: 'step', smoothing: 0 } as const;
  const xTitle = panel.x.logarithmic ? `log₁₀ of ${panel.x.label}` : panel.x.label;
  return (
    <>
      <ChartCard title={panel.title} curves={curves} settings={settings} xTitle={xTitle} />
      <p className="muted">
        {panel.y.label} over {xTitle}; bands are one deviation over seeds.
      </p>
      <ul className="study-keys">
        {curves.map(({ id, label, style }) => (
          <li key={id}>
            <LineKey style={style} /> {label}
          </li>
        ))}
      </ul>
    </>
  );
}

function Bars({ panel }: { panel: StudyPanel }) {
  const bars = panel.series.flatMap(({ label, x, means }) =>
    x.flatMap((name, index) => {
      const mean = means[index] ?? null;
      const isAlone = panel.series.length === 1;
      return mean === null ? [] : [{ name: isAlone ? name : `${label} ${name}`, value: toNumber(mean) }];
    }),
  );
  return (
    <figure>
      <figcaption>
        <h3>{panel.title}</h3>
      </figcaption>
      {bars.length === 0 ? (
        <p className="empty">No finished runs</p>
      ) : (
        <BarChart bars={bars} label={`${panel.title}: ${panel.y.label}`} xTitle={panel.y.label} format={formatNumber} />
      )}
    </figure>
  );
}

function Picture({ panel: { title, picture } }: { panel: StudyPanel }) {
  return (
    <figure>
      <figcaption>
        <h3>{title}</h3>
      </figcaption>
      {picture === null ? (
        <p className="empty">No finished run has left it</p>
      ) : (
        <Link to="/runs/$runId" params={{ runId: picture.runId }} search={{ tab: 'artifacts' }}>
          {picture.name} of run {picture.runNumber}
        </Link>
      )}
    </figure>
  );
}

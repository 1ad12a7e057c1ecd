import { formatSeconds } from '../lib/formatDuration.ts';
import { formatNumber } from '../lib/formatNumber.ts';
import type { ChartScale, Curve } from './curve.ts';

const MOST_LINES = 14;

/** What the pointer shows: x, and each curve's value there, with its band. Names are escaped: runs may be called anything. */
export function tooltipHtml(hits: unknown, curves: readonly Curve[], scale: ChartScale): string {
  if (!Array.isArray(hits)) return '';
  const lines: string[] = [];
  let x: number | undefined;
  for (const hit of hits as { seriesId?: unknown; dataIndex?: unknown }[]) {
    const curve = curves.find((one) => one.id === hit.seriesId);
    if (curve === undefined || typeof hit.dataIndex !== 'number') continue;
    const i = hit.dataIndex;
    x ??= curve.x[i];
    const low = curve.low?.[i];
    const high = curve.high?.[i];
    const band =
      low !== undefined && high !== undefined && low !== high
        ? ` <span class="chart-tip-band">${formatNumber(low)} to ${formatNumber(high)}</span>`
        : '';
    lines.push(
      `<div><span class="chart-tip-key" style="background:var(${curve.style.colorVariable})"></span>` +
        `${escapeHtml(curve.label)} <b>${formatNumber(curve.y[i] ?? Number.NaN)}</b>${band}</div>`,
    );
  }
  if (x === undefined) return '';
  const head =
    scale.x === 'seconds' ? `after ${formatSeconds(x)}` : `${escapeHtml(scale.xTitle ?? 'step')} ${formatNumber(x)}`;
  const rest = lines.length > MOST_LINES ? `<div>and ${lines.length - MOST_LINES} more</div>` : '';
  return `<div class="chart-tip"><div class="chart-tip-head">${head}</div>${lines.slice(0, MOST_LINES).join('')}${rest}</div>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

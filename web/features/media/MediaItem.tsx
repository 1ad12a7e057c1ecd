import { lazy, type ReactNode, Suspense } from 'react';
import type { Media } from './useMedia.ts';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { ArrayPreview } from './ArrayPreview.tsx';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { histogramOf } from './histogram.ts';
import { PlainText, ShortText } from './TextContent.tsx';
import { TableView } from './TableView.tsx';

const WIDTH = 480;
const HEIGHT = 160;

/** The bars of one histogram, as wide as their bins. */
function HistogramBars({ metadata, label }: { metadata: unknown; label: string }) {
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

const ChartFrame = lazy(async () => ({ default: (await import('./ChartFrame.tsx')).ChartFrame }));
const EchartsView = lazy(async () => ({ default: (await import('./EchartsView.tsx')).EchartsView }));

/** One thing to look at with what its program wrote beside it. Uploaded pages and pictures are shown from a sandbox. */
export function MediaItem({ item, label }: { item: Media; label: string }) {
  return (
    <figure className={`media-item media-${item.kind}`}>
      <Suspense fallback={<p className="empty">Loading …</p>}>
        <Content item={item} label={item.caption === '' ? label : item.caption} />
      </Suspense>
      {item.caption !== '' && <figcaption>{item.caption}</figcaption>}
    </figure>
  );
}

function Content({ item, label }: { item: Media; label: string }): ReactNode {
  if (item.kind === 'histogram') return <HistogramBars metadata={item.metadata} label={label} />;
  const { url } = item;
  if (url === null) return <ShortText metadata={item.metadata} />;
  switch (item.kind) {
    case 'image':
      return (
        <a href={url} target="_blank" rel="noreferrer" aria-label={`Open ${label}`}>
          <img src={url} alt={label} loading="lazy" decoding="async" {...sizeOf(item.metadata)} />
        </a>
      );
    case 'html':
      return (
        <>
          <iframe
            className="media-page"
            src={url}
            title={label}
            sandbox=""
            referrerPolicy="no-referrer"
            loading="lazy"
          />
          <p className="muted">Scripts of uploaded pages do not run.</p>
        </>
      );
    case 'text':
      return <PlainText url={url} />;
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: what a program logs has none
      return <audio controls preload="none" src={url} aria-label={label} />;
    case 'video':
      // biome-ignore lint/a11y/useMediaCaption: what a program logs has none
      return <video controls preload="none" src={url} aria-label={label} />;
    case 'table':
      return <TableView sources={[{ url, label: '' }]} label={label} />;
    case 'array':
      return <ArrayPreview url={url} />;
    case 'echarts':
      return <EchartsView url={url} label={label} />;
    case 'vegaLite':
      return <ChartFrame library="vega" url={url} label={label} />;
    case 'plotly':
      return <ChartFrame library="plotly" url={url} label={label} />;
    case 'file':
      return (
        <a href={url} target="_blank" rel="noreferrer">
          {label} ({item.mediaType}, {formatBytes(item.sizeBytes ?? 0)})
        </a>
      );
    default:
      return assertNever(item.kind);
  }
}

/** Keeps the place of a picture free until it has come. */
function sizeOf(metadata: unknown): { width?: number; height?: number } {
  const { width, height }: { width?: unknown; height?: unknown } = Object(metadata);
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : {};
}

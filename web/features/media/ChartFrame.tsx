import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { useTheme } from '#web/components/useTheme.ts';
import { JsonText } from './TextContent.tsx';
import { useContent } from './useContent.ts';

const MOST_BYTES = 8 * 1024 * 1024;
const HEIGHTS = { first: 360, least: 80, most: 1200 };

/** What a frame may tell; it is not to be trusted further. */
const frameMessage = z.union([
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('drawn'), height: z.number() }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);

/** An uploaded Vega-Lite or Plotly chart, drawn in a sandbox by a library that comes with the first one that is shown. */
export function ChartFrame({ library, url, label }: { library: 'vega' | 'plotly'; url: string; label: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const theme = useTheme();
  const { data, error } = useContent(url, MOST_BYTES);
  const [isReady, setReady] = useState(false);
  const [height, setHeight] = useState(HEIGHTS.first);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    const receive = (event: MessageEvent<unknown>) => {
      if (frame.current === null || event.source !== frame.current.contentWindow) return;
      const message = frameMessage.safeParse(event.data).data;
      if (message?.type === 'ready') setReady(true);
      if (message?.type === 'drawn') setHeight(Math.min(HEIGHTS.most, Math.max(HEIGHTS.least, message.height)));
      if (message?.type === 'failed') setProblem(message.message.slice(0, 500));
    };
    window.addEventListener('message', receive);
    return () => window.removeEventListener('message', receive);
  }, []);

  useEffect(() => {
    if (!isReady || data === undefined) return;
    try {
      if (!data.whole) throw new Error('it is longer than 8 MiB');
      const spec: unknown = JSON.parse(new TextDecoder().decode(data.bytes));
      // the frame has no origin that could be named
      frame.current?.contentWindow?.postMessage({ spec, dark: theme === 'dark' }, '*');
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }, [isReady, data, theme]);

  const told = error?.message ?? problem;
  if (told != null) return <JsonText url={url} note={`The chart cannot be shown: ${told}. This is its JSON.`} />;
  return (
    <iframe
      ref={frame}
      className="media-frame"
      src={`/frames/${library}.html`}
      title={label}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      loading="lazy"
      style={{ height }}
    />
  );
}

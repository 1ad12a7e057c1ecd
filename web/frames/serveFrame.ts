/** What the dashboard sends: an uploaded chart, and the theme in which it is to be drawn. */
export interface DrawRequest {
  spec: unknown;
  dark: boolean;
}

/** What a frame tells the dashboard. */
export type FrameMessage = { type: 'ready' } | { type: 'drawn'; height: number } | { type: 'failed'; message: string };

function tell(message: FrameMessage): void {
  // the frame has no origin of its own, and does not know that of the dashboard; nothing here is secret
  window.parent.postMessage(message, '*');
}

/**
 * Draws what the page around this frame sends. The frame's policy lets it load nothing and run no text as a program; that it
 * leads itself nowhere else is up to the dashboard's own policy (`frame-src 'self'`), so it belongs in no other page. Whatever
 * an uploaded chart makes of its library, it reaches nothing but these pixels.
 */
export function serveFrame(draw: (target: HTMLElement, request: DrawRequest) => Promise<void>): void {
  const target = document.getElementById('chart');
  if (target === null) return;
  window.addEventListener('message', (event: MessageEvent<DrawRequest>) => {
    if (event.source !== window.parent) return;
    document.documentElement.dataset.theme = event.data.dark ? 'dark' : 'light';
    draw(target, event.data).then(
      () => tell({ type: 'drawn', height: document.documentElement.scrollHeight }),
      (thrown: unknown) => tell({ type: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) }),
    );
  });
  tell({ type: 'ready' });
}

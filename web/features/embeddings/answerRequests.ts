import type { FromThread } from './embeddingMessages.ts';

/** Between two pieces of news. */
const NEWS_MS = 100;

export type TellProgress = (text: string, done: number) => void;

/** In a thread: answers each request in turn, tells how far it is, and says what went wrong. */
export function answerRequests<Request extends { id: number }, Answer>(
  work: (request: Request, tell: TellProgress) => Promise<Answer>,
): void {
  let before: Promise<void> = Promise.resolve();
  self.onmessage = ({ data }: MessageEvent<Request>) => {
    const send = (message: FromThread<Answer>) => self.postMessage(message);
    let last = 0;
    const tell: TellProgress = (text, done) => {
      if (performance.now() - last < NEWS_MS) return;
      last = performance.now();
      send({ id: data.id, type: 'progress', text, done });
    };
    before = before
      .then(() => work(data, tell))
      .then(
        (answer) => send({ id: data.id, type: 'answer', answer }),
        (error: unknown) =>
          send({ id: data.id, type: 'failed', message: error instanceof Error ? error.message : String(error) }),
      );
  };
}

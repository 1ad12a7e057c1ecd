import type { FromThread } from './embeddingMessages.ts';

export interface Progress {
  text: string;
  done: number;
}

export interface Thread<Request, Answer> {
  /** @throws Error with the thread's own words. */
  ask(request: Request, onProgress?: (progress: Progress) => void): Promise<Answer>;
  /** Ends it; what was asked is never answered. */
  end(): void;
}

interface Waiting<Answer> {
  answered(answer: Answer): void;
  failed(error: Error): void;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Questions to a thread that answers by `answerRequests`. */
export function askThread<Request extends object, Answer>(thread: Worker): Thread<Request, Answer> {
  const waiting = new Map<number, Waiting<Answer>>();
  let last = 0;
  thread.onmessage = ({ data }: MessageEvent<FromThread<Answer>>) => {
    const asked = waiting.get(data.id);
    if (data.type === 'progress') {
      asked?.onProgress?.({ text: data.text, done: data.done });
      return;
    }
    waiting.delete(data.id);
    if (data.type === 'failed') asked?.failed(new Error(data.message));
    else asked?.answered(data.answer);
  };
  thread.onerror = (event) => {
    for (const { failed } of waiting.values()) failed(new Error(event.message || 'The thread does not start.'));
    waiting.clear();
  };
  return {
    ask: (request, onProgress) =>
      new Promise<Answer>((answered, failed) => {
        last += 1;
        waiting.set(last, { answered, failed, onProgress });
        thread.postMessage({ ...request, id: last });
      }),
    end: () => thread.terminate(),
  };
}

import type { TestApi } from './apiForTests.ts';

/** How long an event may take that there is already. */
const PATIENCE_MS = 150;

/** What a subscription sends first over a socket of its own, or why it is refused, as text. */
export async function firstEvents(
  api: Pick<TestApi, 'socket'>,
  token: string | null,
  { query, variables }: { query: string; variables: Record<string, unknown> },
): Promise<string> {
  const socket = api.socket(token === null ? {} : { token });
  const heard: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
    socket.subscribe(
      { query, variables },
      {
        next: (event) => heard.push(JSON.stringify(event)),
        error: (error) => {
          heard.push(error instanceof Error ? error.message : JSON.stringify(error, ['message', 'code', 'reason']));
          resolve();
        },
        complete: resolve,
      },
    );
  });
  clearTimeout(timer);
  // one that was refused is no more
  await Promise.resolve(socket.dispose()).catch(() => {});
  return heard.join('\n');
}

import { createClient } from 'graphql-ws';
import type { TypedDocumentString } from '../generated/graphql.ts';
import type { ApiError } from './apiError.ts';
import { authorizationHeaders, graphqlErrorsSchema, toApiError } from './request.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8000;
/** A connection that does not answer a ping within this time counts as broken. */
const PONG_WAIT_MS = 5000;

let socket: WebSocket | null = null;
let pongTimer: ReturnType<typeof setTimeout> | undefined;

const client = createClient({
  url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
  connectionParams: () => authorizationHeaders(),
  lazy: true,
  lazyCloseTimeout: 5000,
  keepAlive: 10_000,
  // Each subscription begins anew by itself, from what it has by then.
  retryAttempts: 0,
  on: {
    opened: (opened) => {
      socket = opened instanceof WebSocket ? opened : null;
    },
    ping: (received) => {
      if (!received) pongTimer = setTimeout(() => socket?.close(4408, 'no answer'), PONG_WAIT_MS);
    },
    pong: (received) => {
      if (received) clearTimeout(pongTimer);
    },
    closed: () => clearTimeout(pongTimer),
  },
});

export interface SubscriptionHandlers<Result> {
  onData(data: Result): void;
  /** The connection is there again after a break: what happened meanwhile may be missing. */
  onReconnect?(): void;
  /** The API refused the subscription; it is not tried again. */
  onError?(error: ApiError): void;
}

/**
 * Subscribes until the returned function is called. When the connection breaks it subscribes again, each time with
 * fresh `variables()`, so that a cursor in them says what is there already.
 */
export function subscribe<Result, Variables extends Record<string, unknown>>(
  document: TypedDocumentString<Result, Variables>,
  variables: () => Variables,
  handlers: SubscriptionHandlers<Result>,
): () => void {
  let stopped = false;
  let delay = FIRST_DELAY_MS;
  let broken = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsubscribe = () => {};

  const again = () => {
    if (stopped) return;
    broken = true;
    timer = setTimeout(start, delay);
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  };
  const start = () => {
    unsubscribe = client.subscribe<Result>(
      { query: document.toString(), variables: variables() },
      {
        next(result) {
          delay = FIRST_DELAY_MS;
          const refused = result.errors?.[0];
          if (refused !== undefined) handlers.onError?.(toApiError({ message: refused.message }));
          else if (result.data !== null && result.data !== undefined && !stopped) handlers.onData(result.data);
        },
        error(thrown) {
          const errors = graphqlErrorsSchema.safeParse(thrown);
          const first = errors.success ? errors.data[0] : undefined;
          if (first === undefined) again();
          else if (!stopped) handlers.onError?.(toApiError(first));
        },
        complete() {},
      },
    );
    if (broken) handlers.onReconnect?.();
  };
  start();
  return () => {
    stopped = true;
    clearTimeout(timer);
    unsubscribe();
  };
}

import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';

/** Requests under way have this long to end. */
const DRAIN_MS = 5_000;
/** A request on a connection that was just opened has this long to arrive. */
const ARRIVAL_MS = 250;

/**
 * Ends a server without failing anybody who has reached it: no connection is taken any more, requests that are on their way or
 * under way are answered, and connections without one are closed.
 */
export async function drainServer(server: Server): Promise<void> {
  await acceptWaiting(server);
  // the close of HTTP would also end connections whose request is just on its way
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  await Promise.race([closed, delay(ARRIVAL_MS)]);
  // what has arrived meanwhile is read first: on a busy machine the timer may be the first to run after a long while
  await setImmediate();
  server.closeIdleConnections();
  const patience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed.finally(() => clearTimeout(patience));
}

/**
 * Until no connection waits to be accepted: closing the listener would reset these. The event loop accepts one a turn, and
 * the first turn may be one that has looked already.
 */
async function acceptWaiting(server: Server): Promise<void> {
  const endMs = performance.now() + ARRIVAL_MS;
  let quietTurns = 0;
  const accepted = () => {
    quietTurns = 0;
  };
  server.on('connection', accepted);
  while (quietTurns < 2 && performance.now() < endMs) {
    quietTurns += 1;
    await setImmediate();
  }
  server.off('connection', accepted);
}

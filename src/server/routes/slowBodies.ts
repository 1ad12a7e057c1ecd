import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

/** After the answer to a request that took too long, its connection is closed. */
const FAREWELL_MS = 1_000;

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Answers 408, and hangs up on, requests that have not arrived as a whole within `limitMs`. */
export function refuseSlowBodies(limitMs: number): RequestHandler {
  return (request, response, next) => {
    const giveUp = (): void => {
      if (request.complete) return;
      if (!response.headersSent) {
        const message = 'the request did not arrive in time; send it faster, or in smaller parts';
        response.status(408).set({ Connection: 'close', 'Cache-Control': 'no-store' });
        response.json({ errors: [{ message, extensions: { code: 'TIMED_OUT' } }] });
      }
      setTimeout(() => request.destroy(), FAREWELL_MS);
    };
    const timer = setTimeout(giveUp, limitMs);
    timers.set(request, timer);
    const stop = (): void => clearTimeout(timers.get(request));
    request.once('end', stop);
    request.once('close', stop);
    next();
  };
}

/** Lifts that limit for a request whose sender may take as long as the server lets any. */
export function allowSlowBody(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
}

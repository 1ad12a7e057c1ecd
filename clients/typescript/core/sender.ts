import type { Delivery } from './delivery.ts';
import { RunEnded, Unreachable } from './failures.ts';
import { warn } from './warn.ts';

/** Records wait this long for company. */
const GATHER_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** The server gives a run up that it has not heard of for 60 s. */
const HEARTBEAT_MS = 20_000;
const SLICE_MS = 50;

export interface SenderOptions {
  delivery: Delivery;
  /** Seconds of patience with a server that is away once the run is to end; null while it goes on. */
  patience(): number | null;
  /** Whether it was told that the server does not answer. */
  isAway: boolean;
  /** Where records wait, for people. */
  kept: string;
  /** Is told once why the server takes no more: the run has ended there. */
  onEnded(reason: string): void;
}

/** What became of the records; `told`: not all is sent, and the reason was told. */
export type SendingOutcome = 'sent' | 'away' | 'told';

/** Sends until the run is to end and all is sent, or cannot be. */
export async function sendUntilFinished(options: SenderOptions): Promise<SendingOutcome> {
  const { delivery, patience, isAway, kept, onEnded } = options;
  let heard = Date.now();
  let awaySince: number | null = isAway ? heard : null;
  let finishingSince: number | null = null;
  let pause = GATHER_MS;
  for (;;) {
    const finishing = patience() !== null;
    try {
      const sent = await delivery.sendSome();
      if (!sent && finishing) {
        if (!delivery.ended()) await delivery.retryAside();
        return 'sent';
      }
      if (!sent && Date.now() - heard >= HEARTBEAT_MS) await delivery.heartbeat();
      if (sent || Date.now() - heard >= HEARTBEAT_MS) heard = Date.now();
      if (awaySince !== null) warn('the server answers again');
      awaySince = null;
      pause = GATHER_MS;
      if (sent && finishing) continue;
    } catch (error) {
      if (error instanceof RunEnded) {
        onEnded(error.message);
        return 'told';
      }
      // a defect here must not end the user's training
      const reason = error instanceof Unreachable ? error.message : String(error);
      if (awaySince === null) warn(`${reason}; records are kept in ${kept} and sent later`);
      awaySince ??= Date.now();
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
    }
    const began = Date.now();
    do {
      const seconds = patience();
      if (seconds !== null) {
        finishingSince ??= Date.now();
        if (awaySince === null) break;
        if (Date.now() - Math.max(awaySince, finishingSince) >= seconds * 1000) return 'away';
      }
      await new Promise((done) => setTimeout(done, SLICE_MS));
    } while (Date.now() - began < pause);
  }
}

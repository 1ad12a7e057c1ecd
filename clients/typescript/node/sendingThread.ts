import { parentPort, workerData } from 'node:worker_threads';
import { deliveryOf } from '../core/delivery.ts';
import { sendUntilFinished } from '../core/sender.ts';
import { transportTo } from '../core/transport.ts';
import { warn } from '../core/warn.ts';
import { storeOf } from './journal.ts';

/** What the thread that sends is told. */
export interface SendingOrder {
  warrenJournal: string;
  runId: string;
  server: string;
  token: string | null;
  /** Whether a run that the server ends interrupts the program, as Ctrl-C does. */
  interrupts: boolean;
  /** Shared with the program; its places are below. */
  state: Int32Array<SharedArrayBuffer>;
}

/** Whether the program ends the run: 1 then. */
export const FINISHING = 0;
/** Seconds for a server that is away. */
export const PATIENCE = 1;
/** Set by the thread when it has ended: 1 all is sent, 2 given up, `ENDED` told already why not. */
export const SENT = 2;
/** Set by the thread when the server has ended the run: 1 cancelled, 2 stopped early. */
export const STOPPED = 3;
export const STATE_PLACES = 4;
export const ENDED = 3;

/** In the thread that sends: does its work. Anywhere else: nothing. */
export async function sendIfThread(): Promise<void> {
  if (parentPort === null || !isOrder(workerData)) return;
  const { warrenJournal, runId, server, token, interrupts, state } = workerData;
  const delivery = deliveryOf(storeOf(warrenJournal), transportTo(server, token), runId);
  const outcome = await sendUntilFinished({
    delivery,
    patience: () => (Atomics.load(state, FINISHING) === 0 ? null : Atomics.load(state, PATIENCE)),
    kept: warrenJournal,
    onEnded(reason) {
      warn(`${reason}: what is logged from now on stays in the journal`);
      const how = /CANCELLED|PRUNED/.exec(reason)?.[0];
      if (how === undefined) return;
      Atomics.store(state, STOPPED, how === 'CANCELLED' ? 1 : 2);
      parentPort?.postMessage(reason);
      if (interrupts && Atomics.load(state, FINISHING) === 0) process.kill(process.pid, 'SIGINT');
    },
  });
  Atomics.store(state, SENT, { sent: 1, away: 2, told: ENDED }[outcome]);
  Atomics.notify(state, SENT);
  parentPort.close();
}

function isOrder(data: unknown): data is SendingOrder {
  return typeof data === 'object' && data !== null && 'warrenJournal' in data;
}

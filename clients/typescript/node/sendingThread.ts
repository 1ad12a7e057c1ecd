import { parentPort, workerData } from 'node:worker_threads';
import { deliveryOf } from '../core/delivery.ts';
import { sendUntilFinished } from '../core/sender.ts';
import { transportTo } from '../core/transport.ts';
import { storeOf } from './journal.ts';

/** What the thread that sends is told. */
export interface SendingOrder {
  warrenJournal: string;
  runId: string;
  server: string;
  token: string | null;
  /** Shared with the program: whether it is to end, its patience in seconds, and, set here, 1 all sent or 2 given up. */
  state: Int32Array<SharedArrayBuffer>;
}

/** In the thread that sends: does its work. Anywhere else: nothing. */
export async function sendIfThread(): Promise<void> {
  if (parentPort === null || !isOrder(workerData)) return;
  const { warrenJournal, runId, server, token, state } = workerData;
  const delivery = deliveryOf(storeOf(warrenJournal), transportTo(server, token), runId);
  const patience = (): number | null => (Atomics.load(state, 0) === 0 ? null : Atomics.load(state, 1));
  const isSent = await sendUntilFinished({ delivery, patience });
  Atomics.store(state, 2, isSent ? 1 : 2);
  Atomics.notify(state, 2);
  parentPort.close();
}

function isOrder(data: unknown): data is SendingOrder {
  return typeof data === 'object' && data !== null && 'warrenJournal' in data;
}

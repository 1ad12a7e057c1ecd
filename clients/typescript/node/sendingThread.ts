import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { deliveryOf } from '../core/delivery.ts';
import { sendUntilFinished } from '../core/sender.ts';
import { transportTo } from '../core/transport.ts';
import { warn } from '../core/warn.ts';
import { storeOf } from './journalStore.ts';
import { sendRest } from './sendRest.ts';
import { ENDED, FINISHING, PATIENCE, type SendingOrder, SENT, STOPPED } from './sendingState.ts';

/** The work of the thread that sends, whose text the build puts into the client: a bundle of a user's has no file of its own for it. */
async function send({ journal, runId, server, token, isAway, interrupts, state }: SendingOrder): Promise<void> {
  const takeMore = (): string[] => {
    const given = parentPort === null ? undefined : receiveMessageOnPort(parentPort);
    return Array.isArray(given?.message) ? given.message : [];
  };
  const delivery = deliveryOf(storeOf(journal, takeMore), transportTo(server, token), runId, { isOwn: true });
  const outcome = await sendUntilFinished({
    delivery,
    patience: () => (Atomics.load(state, FINISHING) === 0 ? null : Atomics.load(state, PATIENCE)),
    isAway,
    kept: journal,
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
  parentPort?.close();
}

if (isMainThread) void sendRest();
else {
  const order: SendingOrder = workerData;
  void send(order);
}

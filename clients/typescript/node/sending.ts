import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { toldAside } from '../core/aside.ts';
import type { Run } from '../core/run.ts';
import { warn } from '../core/warn.ts';
import { SENDING_THREAD } from '../generated/sendingThread.ts';
import { type Guard, startGuard } from './guard.ts';
import { releaseLock } from './lock.ts';
import { type Journal, readAside, readPosition } from './journal.ts';
import { retire } from './keptJournals.ts';
import { ENDED, FINISHING, PATIENCE, type SendingOrder, SENT, STOPPED, STATE_PLACES } from './sendingState.ts';

/** What sends a journal while its program goes on. */
export interface Sending {
  journal: Journal;
  /** Of a run that is trial of a sweep: what was logged after the server had ended it is nobody's loss. */
  isTrial: boolean;
  state: Int32Array<SharedArrayBuffer>;
  thread: Worker | null;
  /** Null where another process ends the run. */
  guard: Guard | null;
  /** Resolves when the thread has ended; at once without one. */
  over: Promise<unknown>;
}

/** How long a program that ends without `finish` waits for the rest to be sent. */
const EXIT_SECONDS = 10;

/** Sends nothing: the journal of an offline run. */
export function keepJournal(journal: Journal): Sending {
  const state = new Int32Array(new SharedArrayBuffer(STATE_PLACES * 4));
  return { journal, isTrial: false, state, thread: null, guard: null, over: Promise.resolve() };
}

/** Lets the run end as CANCELLED, and the rest be sent, where Ctrl-C ends the program. @param to Null: what is offline stays so */
export function guardEnd(sending: Sending, to: { server: string; token: string | null } | null): void {
  const order = {
    journal: sending.journal.path,
    pid: process.pid,
    server: to?.server ?? null,
    token: to?.token ?? null,
  };
  sending.guard = startGuard(order);
}

/** Starts the thread. @param onStopped Is told why the server has ended the run. */
export function startSending(
  sending: Sending,
  order: Omit<SendingOrder, 'journal' | 'state'>,
  onStopped: (reason: string) => void,
): void {
  const workerData: SendingOrder = { ...order, journal: sending.journal.path, state: sending.state };
  const thread = new Worker(SENDING_THREAD, { eval: true, workerData, execArgv: [] });
  thread.on('error', (error) => warn(`stopped sending after an error: ${String(error)}`));
  thread.on('message', (reason: unknown) => onStopped(String(reason)));
  sending.thread = thread;
  sending.over = new Promise((resolve) => thread.once('exit', resolve));
  thread.unref();
}

/** Whether the server has ended the run: the word for how; null where it has not. */
export function stoppedAs({ state }: Sending): 'CANCELLED' | 'PRUNED' | null {
  return ([null, 'CANCELLED', 'PRUNED'] as const)[Atomics.load(state, STOPPED)] ?? null;
}

/** Waits until all is sent, for a server that is away so many seconds. */
export async function closeSending(sending: Sending, patience: number): Promise<void> {
  const { state, thread, over } = sending;
  if (Atomics.load(state, FINISHING) === 1) return;
  tellEnd(sending, patience);
  thread?.ref();
  await over;
  endJournal(sending);
}

function tellEnd({ state, guard, thread, journal }: Sending, patience: number): void {
  guard?.ended();
  // what the disk does not take goes to the thread, which looks for it once the file has no more
  thread?.postMessage(journal.takeWaiting());
  Atomics.store(state, PATIENCE, Math.ceil(patience));
  Atomics.store(state, FINISHING, 1);
}

function endJournal(sending: Sending): void {
  const { state, thread, journal, isTrial } = sending;
  openRuns.delete(sending);
  journal.close();
  sending.guard?.done();
  if (thread === null) {
    warn(`the run is kept; \`node warren.mjs sync ${dirname(journal.path)}\` sends it`);
    return;
  }
  const unstored = toldAside(readAside(journal.path));
  releaseLock(journal.path);
  const { refused } = readPosition(journal.path);
  const result = Atomics.load(state, SENT);
  const again = `\`node warren.mjs sync ${dirname(journal.path)}\` or the next start`;
  if (result === 1 || (isTrial && stoppedAs(sending) !== null)) {
    if (refused === 0 && unstored === null) retire(journal.path);
    // the first refusal was told when it came
    if (refused > 1) {
      warn(`the server refused ${refused} records in all: ${journal.path}.refused has them, with the reasons`);
    }
  } else if (result !== ENDED) warn(`not all is sent: ${again} sends the rest`);
  if (unstored !== null) warn(`not stored: ${unstored} (kept: ${again} tries again)`);
}

const openRuns = new Map<Sending, Run>();
let failure: string | null = null;

/** A program that ends without `finish` ends its run, too: as FAILED after an error that nobody caught. */
export function endWithProgram(run: Run, sending: Sending): void {
  if (openRuns.size === 0 && process.listeners('exit').includes(endOpenRuns) === false) {
    process.on('uncaughtExceptionMonitor', (error) => {
      failure = `${error.name}: ${error.message}`;
    });
    process.on('exit', endOpenRuns);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) endBySignal(signal);
  }
  openRuns.set(sending, run);
}

/** Schedulers kill a program soon after the signal that is to end it. */
const SIGNAL_SECONDS = 4;

/** Has a signal end the runs, and then the program as it would have, where nothing else takes it. */
function endBySignal(signal: 'SIGTERM' | 'SIGHUP'): void {
  if (process.listenerCount(signal) > 0) return;
  const end = async (): Promise<void> => {
    for (const [sending, run] of openRuns) {
      if (Atomics.load(sending.state, FINISHING) === 1) continue;
      run.logText(`ended by ${signal}`, 'warn');
      run.writeEnd('CANCELLED', `ended by ${signal}`);
    }
    const all = Promise.all([...openRuns.keys()].map((sending) => closeSending(sending, SIGNAL_SECONDS)));
    await Promise.race([all, new Promise((done) => setTimeout(done, (SIGNAL_SECONDS + 1) * 1000))]);
    process.kill(process.pid, signal);
  };
  process.once(signal, () => void end());
}

function endOpenRuns(code: number): void {
  for (const [sending, run] of openRuns) {
    const { state, thread } = sending;
    if (Atomics.load(state, FINISHING) === 1) continue;
    run.writeEnd(code === 0 ? 'SUCCEEDED' : 'FAILED', failure ?? (code === 0 ? null : `exit code ${code}`));
    tellEnd(sending, EXIT_SECONDS);
    if (thread !== null) Atomics.wait(state, SENT, 0, (EXIT_SECONDS + 5) * 1000);
    endJournal(sending);
  }
}

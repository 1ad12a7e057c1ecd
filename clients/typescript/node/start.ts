import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { userName } from '#src/lib/userName.ts';
import { toldAside } from '../core/aside.ts';
import { deliveryOf } from '../core/delivery.ts';
import { type Run, runOver } from '../core/run.ts';
import { createAtOnce, type InitOptions, runInput, runToResume, stepAfter } from '../core/starting.ts';
import { transportTo } from '../core/transport.ts';
import { warn } from '../core/warn.ts';
import { describeEnvironment } from './environment.ts';
import { createJournal, findJournals, type Journal, readAside, readPosition, removeSent, storeOf } from './journal.ts';
import { lockJournal } from './lock.ts';
import type { SendingOrder } from './sendingThread.ts';
import { sendLeftBehind, syncJournal } from './syncing.ts';

export interface NodeInitOptions extends InitOptions {
  /** "offline": kept until it is synced. "disabled": nothing is recorded. */
  mode?: 'online' | 'offline' | 'disabled';
  /** Where the folder `warren-runs` is. */
  dir?: string;
}

/** A run of a Node program, and the journal beside which its files are kept. */
export interface StartedRun {
  run: Run;
  journal: Journal | null;
}

/** How long a program that ends without `finish` waits for the rest to be sent. */
const EXIT_SECONDS = 10;

/** Starts a run. A server that is away is no error. @throws Error where the server refuses the run for good */
export async function startRun(options: NodeInitOptions, serverDefault: string): Promise<StartedRun> {
  const mode = options.mode ?? process.env.WARREN_MODE ?? 'online';
  if (mode !== 'online' && mode !== 'offline' && mode !== 'disabled') {
    throw new TypeError(`mode: '${mode}' is not one of online, offline, disabled`);
  }
  const { WARREN_PROJECT, WARREN_RUN_ID, WARREN_DIR = '.' } = process.env;
  // a run that a worker executes this program for: its worker records how it ends
  const executed = process.env.WARREN_ATTEMPT !== undefined && WARREN_RUN_ID !== undefined;
  const user = userName();
  const given: InitOptions = {
    ...(WARREN_PROJECT === undefined ? {} : { project: WARREN_PROJECT }),
    ...(user === null ? {} : { user }),
    ...options,
    ...(executed ? { id: WARREN_RUN_ID, resume: 'allow' } : {}),
  };
  const input = runInput(given, describeEnvironment(), mode === 'online');
  const named = { id: input.id, number: null, url: null, firstStep: 0, parameters: input.parameters };
  if (mode === 'disabled') return { run: runOver(null, named), journal: null };

  const token = options.token ?? process.env.WARREN_TOKEN ?? null;
  const transport = transportTo(serverDefault, token);
  const folder = join(resolve(options.dir ?? WARREN_DIR), 'warren-runs');
  if (mode === 'online') await sendEarlier(join(folder, input.id), token);
  const found = mode === 'online' ? await runToResume(transport, given) : null;
  const journal = createJournal(folder, input.id);
  journal.append(['run', input, { mode, server: transport.url }]);
  const state = new Int32Array(new SharedArrayBuffer(12));
  let thread: Worker | null = null;
  let number: number | null = null;
  if (mode === 'online') {
    lockJournal(journal.path);
    number = await createAtOnce(deliveryOf(storeOf(journal.path), transport, input.id), input, journal.path);
    if (number !== null) warn(`run ${number} at ${transport.url}/runs/${number}`);
    const order: SendingOrder = { warrenJournal: journal.path, runId: input.id, server: transport.url, token, state };
    thread = new Worker(fileURLToPath(import.meta.url), { workerData: order, execArgv: [] });
    thread.on('error', (error) => warn(`stopped sending after an error: ${String(error)}`));
    thread.unref();
    void sendLeftBehind(folder, { ...(token === null ? {} : { token }) });
  }
  const url = number === null ? null : `${transport.url}/runs/${number}`;
  const ending = { state, thread, journal };
  const outlet = {
    append: (record: Parameters<Journal['append']>[0]) => {
      if (!(executed && record[0] === 'end')) journal.append(record);
    },
    keepMedia: journal.keepMedia,
    close: (patience: number) => closeSending(ending, patience),
  };
  const run = runOver(outlet, { ...named, number, url, firstStep: stepAfter(found) });
  endWithProgram(run, ending);
  return { run, journal };
}

interface Sending {
  state: Int32Array<SharedArrayBuffer>;
  thread: Worker | null;
  journal: Journal;
}

async function closeSending({ state, thread, journal }: Sending, patience: number): Promise<void> {
  if (thread === null || Atomics.load(state, 0) === 1) return;
  tellEnd(state, patience);
  thread.ref();
  await once(thread, 'exit');
  endJournal(state, journal);
}

function tellEnd(state: Int32Array, patience: number): void {
  Atomics.store(state, 1, Math.ceil(patience));
  Atomics.store(state, 0, 1);
}

function endJournal(state: Int32Array, journal: Journal): void {
  journal.close();
  const unstored = toldAside(readAside(journal.path));
  rmSync(`${journal.path}.lock`, { force: true });
  if (Atomics.load(state, 2) !== 1)
    warn(`not all is sent: \`python -m warren sync\` or the next start sends ${journal.path}`);
  else if (readPosition(journal.path).refused === 0 && unstored === null) removeSent(journal.path);
  if (unstored !== null)
    warn(`not stored: ${unstored} (kept: \`python -m warren sync\` or the next start tries again)`);
}

/** A program that ends without `finish` ends its run, too: as FAILED after an error that nobody caught. */
function endWithProgram(run: Run, { state, thread, journal }: Sending): void {
  let failure: string | null = null;
  process.on('uncaughtExceptionMonitor', (error) => {
    failure = `${error.name}: ${error.message}`;
  });
  process.on('exit', (code) => {
    if (Atomics.load(state, 0) === 1) return;
    run.writeEnd(code === 0 ? 'SUCCEEDED' : 'FAILED', failure ?? (code === 0 ? null : `exit code ${code}`));
    tellEnd(state, EXIT_SECONDS);
    if (thread === null) return;
    Atomics.wait(state, 2, 0, (EXIT_SECONDS + 5) * 1000);
    endJournal(state, journal);
  });
}

/** Sends what a killed program left of this run, before another goes on with it: its steps come first. */
async function sendEarlier(runFolder: string, token: string | null): Promise<void> {
  for (const path of findJournals(runFolder)) {
    await syncJournal(path, token === null ? {} : { token }).catch((error: unknown) => warn(String(error)));
  }
}

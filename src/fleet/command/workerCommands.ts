import { setTimeout as delay } from 'node:timers/promises';
import {
  DrainWorkerDocument,
  ReleaseWorkerDocument,
  UndrainWorkerDocument,
  type WorkerLineFragment,
  WorkersDocument,
} from '#src/generated/api.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { formatAge } from '#src/base/terminal/formatNumber.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import { renderTable } from '#src/base/terminal/table.ts';

/** The body of `warren workers`. */
export async function listWorkers(
  { terminal, api }: CommandContext,
  { json = false }: { json?: boolean },
): Promise<void> {
  const { workers } = await (await api()).request(WorkersDocument, {});
  if (json) {
    terminal.print(JSON.stringify(workers, null, 2));
    return;
  }
  if (workers.length === 0) {
    terminal.say('warren: no worker is alive; `warren worker` starts one');
    return;
  }
  for (const { name, trouble } of workers) {
    if (trouble !== null) terminal.say(`warren: ${printable(name)} takes no runs: ${printable(trouble)}`);
  }
  const now = new Date();
  const headers = ['NAME', 'STATE', 'BACKEND', 'DEVICE', 'RUNS', 'STARTED'];
  const rows = workers.map((worker) => [
    printable(worker.name),
    stateOf(worker),
    worker.backend,
    printable(worker.device),
    worker.runs.map(({ number }) => `#${number}`).join(' ') || '-',
    formatAge(worker.startedAt, now),
  ]);
  const columns = headers.map((header) => (header === 'DEVICE' ? { header, minimum: 8 } : { header }));
  const options = { width: terminal.width(), styleHeader: terminal.colours.bold };
  terminal.print(renderTable(columns, rows, options).join('\n'));
}

/** The body of `warren workers release`. */
export async function releaseWorker(
  { terminal, api: connect }: CommandContext,
  { worker: reference, json = false }: { worker: string; json?: boolean },
): Promise<void> {
  const { worker } = await (await connect()).request(ReleaseWorkerDocument, { worker: reference });
  if (json) terminal.print(JSON.stringify(worker, null, 2));
  else terminal.print(`${printable(worker.name)}: ${describe(worker)}`);
}

/** The body of `warren workers drain` and `undrain`; with `wait` it ends when the worker is drained, or is gone. */
export async function changeDrain(
  { terminal, api: connect }: CommandContext,
  action: 'drain' | 'undrain',
  { worker: reference, wait = false, json = false }: { worker: string; wait?: boolean; json?: boolean },
): Promise<void> {
  const api = await connect();
  const document = action === 'drain' ? DrainWorkerDocument : UndrainWorkerDocument;
  let { worker } = await api.request(document, { worker: reference });
  if (wait) worker = await untilDrained(api, worker);
  if (json) terminal.print(JSON.stringify(worker, null, 2));
  else terminal.print(`${printable(worker.name)}: ${describe(worker)}`);
}

async function untilDrained(api: ApiClient, worker: WorkerLineFragment): Promise<WorkerLineFragment> {
  let current = worker;
  while (current.alive && !current.drained && current.drainRequestedAt !== null) {
    await delay(TIMING.pollMs);
    const { workers } = await api.request(WorkersDocument, {});
    current = workers.find(({ id }) => id === worker.id) ?? { ...current, alive: false, runs: [] };
  }
  return current;
}

function stateOf({ alive, drained, drainRequestedAt, trouble }: WorkerLineFragment): string {
  if (!alive) return 'gone';
  if (trouble !== null) return 'ill';
  if (drained) return 'drained';
  return drainRequestedAt === null ? 'alive' : 'draining';
}

function describe(worker: WorkerLineFragment): string {
  const state = stateOf(worker);
  if (state === 'alive') return 'takes new runs';
  if (state === 'drained') return 'drained: it takes no new runs and executes none';
  if (state === 'ill') return `takes no runs: ${worker.trouble}`;
  if (state === 'gone') return 'gone; what it had not finished goes on elsewhere';
  return `draining: it takes no new runs and finishes ${worker.runs.map(({ number }) => `#${number}`).join(', ')}`;
}

import type { StatusQuery } from '#src/generated/api.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { storageFinding } from './storageFinding.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { formatAge, formatProgress } from '#src/base/terminal/formatNumber.ts';
import { renderTable } from '#src/base/terminal/table.ts';
import { readStatus } from './readStatus.ts';

/** The body of `warren status`: what the API says of itself. */
export async function showStatus(context: CommandContext, { json }: { json: boolean }): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const now = new Date();
  const { status, away } = await readStatus(api, now);
  if (away.length > 0) context.exitCode = EXIT_FAILED;
  if (json) {
    terminal.print(JSON.stringify({ url: api.url, away, ...status }, null, 2));
    return;
  }
  const { bold, red } = terminal.colours;
  const section = (title: string, lines: readonly string[]) => {
    terminal.print(bold(title));
    for (const line of lines) terminal.print(`  ${line}`);
  };
  const { server, queue, kindModules, running, failures, workers } = status;
  const role = server.role === 'none' ? 'no token is needed' : `this token may ${server.role}`;
  section('Server', [`Warren ${server.version} at ${api.url}; ${role}`, ...away.map((part) => red(part))]);
  section('Workers', workerLines(workers, now));
  const waiting = `${queue.queued} queued, ${queue.running} running, ${queue.waiting} waiting for other runs`;
  section('Queue', [
    `${waiting}; kept in ${queue.backend}`,
    ...queue.unknownKinds.map(({ kind, runs }) => `${runs} wait for a worker that knows the kind ${printable(kind)}`),
  ]);
  const leftOut = leftOutModules({ kindModules, workers });
  if (leftOut.length > 0) section(red('Modules of WARREN_KINDS that could not be loaded'), leftOut);
  if (running.totalCount > 0) {
    const rows = running.edges.map(({ node: run }) => [
      `#${run.number}`,
      `${printable(run.name)} · seed ${run.seed}`,
      formatProgress(run),
      run.startedAt === null ? '' : `since ${formatAge(new Date(run.startedAt), now)}`,
    ]);
    section(`Running: ${running.totalCount}`, tableLines(rows));
  }
  if (failures.totalCount > 0) {
    const lines = failures.edges.map(
      ({ node: run }) =>
        `#${run.number} ${printable(run.name)} · seed ${run.seed}: ${firstLine(run.error?.message ?? '')}`,
    );
    section(red(`Failed in the last 24 hours: ${failures.totalCount}`), lines);
  }
  const { found, advice } = storageFinding(status.storage);
  section('Disk', [advice === undefined ? found : `${found}; ${advice}`]);
}

function workerLines(workers: StatusQuery['workers'], now: Date): string[] {
  if (workers.length === 0) return ['none: `warren worker` starts one'];
  return tableLines(
    workers.map(({ name, host, backend, device, slots, startedAt }) => [
      printable(name),
      printable(host),
      `${backend}, ${printable(device)}`,
      slots === 1 ? '1 slot' : `${slots} slots`,
      `started ${formatAge(new Date(startedAt), now)}`,
    ]),
  );
}

/** By whom, which and why. */
function leftOutModules({ kindModules, workers }: Pick<StatusQuery, 'kindModules' | 'workers'>): string[] {
  const by = (who: string, modules: readonly { module: string; problem: string | null }[]) =>
    modules.flatMap(({ module, problem }) =>
      problem === null ? [] : [`${printable(who)}: ${printable(module)}: ${printable(problem)}`],
    );
  return [...by('API', kindModules), ...workers.flatMap((worker) => by(worker.name, worker.leftOutModules))];
}

/** Aligned columns without headers. */
function tableLines(rows: readonly string[][]): string[] {
  const columns = (rows[0] ?? []).map(() => ({ header: '' }));
  return renderTable(columns, rows).slice(1);
}

function firstLine(text: string): string {
  return printable(text.split('\n', 1)[0] ?? '');
}

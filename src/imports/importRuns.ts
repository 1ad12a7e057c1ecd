import { setTimeout as wait } from 'node:timers/promises';
import { ListProjectNamesDocument } from '#src/generated/api.ts';
import { badInput, type ErrorCode, WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import type { SourceRun, SourceRuns } from './source.ts';
import { RunWriter, type Sent } from './runWriter.ts';

/** Runs that are sent at once. */
const RUNS_AT_ONCE = 3;
const FOLLOW_MS = 2_000;
/** What the next run would meet as well. */
const MEET_ALL: ReadonlySet<ErrorCode> = new Set(['UNAVAILABLE', 'NO_ROOM', 'UNAUTHENTICATED', 'FORBIDDEN']);

export interface ImportOptions {
  project: string;
  /** Names the source in messages. */
  source: string;
  /** Goes on while the source grows. */
  follow: boolean;
  json: boolean;
}

const COUNTS = ['points', 'newPoints', 'lines', 'newLines', 'media', 'newMedia', 'files'] as const;

interface Outcome {
  runs: { number: number | null; label: string; sent: Sent; error: string | null; elsewhere: string | null }[];
  warnings: string[];
  /** What the source has that does not come in. */
  leftOut: Set<string>;
  /** Why no further run was tried. */
  stopped: WarrenError | null;
}

/**
 * The body of `warren import`: reads runs and sends them, a few at once. A run that cannot be sent does not keep the others
 * from it; the command then ends with 1. Where the server is gone or refuses the caller, no further run is tried.
 */
export async function importRuns(
  context: CommandContext,
  list: (leftOut: (text: string) => void) => SourceRuns,
  options: ImportOptions,
): Promise<void> {
  const api = await context.api();
  const started = performance.now();
  // a server that is not there, or knows no such token, is told of before anything is read
  await api.request(ListProjectNamesDocument, {});
  const outcome: Outcome = { runs: [], warnings: [], leftOut: new Set(), stopped: null };
  const leftOut = (text: string) => void outcome.leftOut.add(text);
  const warn = (text: string) => {
    outcome.warnings.push(text);
    context.terminal.say(`warren: ${text}`);
  };
  const { follow, project } = options;
  if (follow) await followRuns(context, api, () => list(leftOut), { project, warn, outcome });
  else {
    const running = new Set<Promise<void>>();
    try {
      for await (const run of list(leftOut)) {
        if (outcome.stopped !== null) break;
        const importing = importRun(api, run, { project, warn }).then((result) =>
          report(context, outcome, result, options),
        );
        running.add(importing);
        void importing.finally(() => running.delete(importing));
        if (running.size >= RUNS_AT_ONCE) await Promise.race(running);
      }
    } catch (error) {
      await Promise.all(running);
      if (outcome.runs.length === 0) throw error;
      warn(`${coerceError(error).message}: all before it is imported`);
      context.exitCode = 1;
    }
    await Promise.all(running);
    if (outcome.stopped !== null) tellStop(outcome, outcome.stopped, warn);
  }
  sumUp(context, outcome, options, (performance.now() - started) / 1000);
}

type RunOutcome = Outcome['runs'][number];

/** Throws where nothing was imported at all. */
function tellStop({ runs }: Outcome, stopped: WarrenError, warn: (text: string) => void): void {
  if (runs.every(({ error }) => error !== null)) throw stopped;
  const { message } = stopped;
  warn(`${message}\nHere the import stopped: the same command, repeated, goes on with what is missing.`);
}

async function importRun(
  api: ApiClient,
  run: SourceRun,
  { project, warn }: { project: string; warn: (text: string) => void },
): Promise<RunOutcome & { stops?: WarrenError }> {
  const writer = new RunWriter(api, run, project);
  try {
    await writer.begin();
    await send(writer, run, warn);
    await writer.finish();
    return outcomeOf(writer, run, null);
  } catch (error) {
    const failed = outcomeOf(writer, run, coerceError(error).message);
    return error instanceof WarrenError && MEET_ALL.has(error.code) ? { ...failed, stops: error } : failed;
  }
}

const outcomeOf = ({ number, sent, elsewhere }: RunWriter, { label }: SourceRun, error: string | null): RunOutcome => ({
  number,
  label,
  sent,
  error,
  elsewhere,
});

async function send(writer: RunWriter, run: SourceRun, warn: (text: string) => void): Promise<void> {
  for await (const item of run.read()) {
    if (item.type === 'warning') warn(item.text);
    else await writer.add(item);
  }
}

function report(
  { terminal }: CommandContext,
  outcome: Outcome,
  { stops, ...run }: RunOutcome & { stops?: WarrenError },
  { json }: ImportOptions,
): void {
  outcome.runs.push(run);
  const number = run.number === null ? '' : `#${run.number} `;
  if (stops !== undefined) outcome.stopped ??= stops;
  else if (run.error !== null) terminal.say(`warren: ${number}${run.label}: ${run.error}`);
  else if (!json) terminal.print(`${number}${run.label}: ${described(run.sent)}`);
}

const count = (amount: number, one: string, many = `${one}s`) =>
  `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`;

function described(sent: Sent): string {
  const parts = [count(sent.points, 'point')];
  if (sent.lines > 0) parts.push(count(sent.lines, 'line'));
  if (sent.media > 0) parts.push(count(sent.media, 'thing to look at', 'things to look at'));
  if (sent.files > 0) parts.push(count(sent.files, 'file'));
  return `${parts.join(', ')}; ${(sent.newPoints + sent.newLines + sent.newMedia).toLocaleString('en')} new`;
}

function sumUp(context: CommandContext, outcome: Outcome, options: ImportOptions, seconds: number): void {
  const { terminal } = context;
  const { runs, warnings } = outcome;
  if (runs.length === 0) {
    const why = [...outcome.leftOut].map((text) => `; ${text}`).join('');
    throw badInput(`${options.source}: there is no run in it${why}`, 'source');
  }
  const total = Object.fromEntries(
    COUNTS.map((name) => [name, runs.reduce((sum, { sent }) => sum + sent[name], 0)]),
  ) as Record<(typeof COUNTS)[number], number>;
  const failed = runs.filter(({ error }) => error !== null).length;
  for (const place of new Set(runs.map(({ elsewhere }) => elsewhere))) {
    if (place === null) continue;
    const there = runs.filter(({ elsewhere }) => elsewhere === place).length;
    const text = `${count(there, 'run')} of them: ${place} since before, and brought up to date there`;
    warnings.push(text);
    terminal.say(`warren: ${text}`);
  }
  for (const text of outcome.leftOut) {
    warnings.push(text);
    terminal.say(`warren: ${text}`);
  }
  if (options.json) terminal.print(JSON.stringify({ ...total, seconds, runs, warnings }));
  else {
    const failures = failed === 0 ? '' : `, ${failed} not imported whole`;
    terminal.print(`${count(runs.length, 'run')}${failures}: ${described(total)}, in ${seconds.toFixed(1)} s`);
  }
  if (failed > 0) context.exitCode = 1;
}

/** Sends what comes, looking every two seconds, until a signal ends it; then the runs end as their sources say. */
async function followRuns(
  context: CommandContext,
  api: ApiClient,
  list: () => SourceRuns,
  { project, warn, outcome }: { project: string; warn: (text: string) => void; outcome: Outcome },
): Promise<void> {
  const interruption = context.catchInterruption();
  const writers = new Map<string, { run: SourceRun; writer: RunWriter }>();
  const seconds = FOLLOW_MS / 1000;
  context.terminal.say(`warren: following, every ${seconds} s, until Ctrl-C`);
  const torn = new Map<string, string>();
  for (;;) {
    for await (const run of list()) {
      const known = writers.get(run.id) ?? { run, writer: new RunWriter(api, run, project) };
      if (!writers.has(run.id)) await known.writer.begin();
      writers.set(run.id, known);
      // a file that is being written ends within a record now and then
      await send(known.writer, run, (text) => void torn.set(run.id, text));
      await known.writer.flush();
    }
    if (interruption.signal.aborted) break;
    await wait(FOLLOW_MS, undefined, { signal: interruption.signal }).catch(() => {});
  }
  interruption.release();
  for (const text of torn.values()) warn(text);
  for (const { run, writer } of writers.values()) {
    await writer.finish();
    report(context, outcome, outcomeOf(writer, run, null), {
      project,
      source: '',
      follow: true,
      json: false,
    });
  }
}

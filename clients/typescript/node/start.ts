import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { laidOver } from '#src/base/lib/laidOver.ts';
import { userName } from '#src/base/lib/userName.ts';
import type { LogLevel } from '../generated/api.ts';
import { deliveryOf } from '../core/delivery.ts';
import {
  checkedResume,
  checkResume,
  type FoundRun,
  findRun,
  type ForkPlace,
  forkPlaceOf,
  nextStep,
  parametersBefore,
  type Resume,
  reopenRun,
  uuidOf,
} from '../core/resuming.ts';
import { keepSet } from '../core/config.ts';
import { type Outlet, runOver } from '../core/run.ts';
import { createAtOnce, type InitOptions, runInput, tellIgnored } from '../core/starting.ts';
import { type Transport, transportTo } from '../core/transport.ts';
import { isSeed, parametersOf } from '../core/values.ts';
import { warn } from '../core/warn.ts';
import { codeFiles } from './code.ts';
import { copyConsole } from './console.ts';
import { keepShort } from './logTail.ts';
import { describeEnvironment } from './environment.ts';
import { createJournal, type Journal } from './journal.ts';
import { storeOf } from './journalStore.ts';
import { lastKeptStep } from './keptSteps.ts';
import { lockJournal } from './lock.ts';
import {
  closeSending,
  endWithProgram,
  guardEnd,
  keepJournal,
  type Sending,
  startSending,
  stoppedAs,
} from './sending.ts';
import { nodeRun, type StartedRun } from './startedRun.ts';
import { Stopped } from './stopped.ts';
import { sendFirst, sendLeftBehind } from './syncing.ts';
import { isAgentHere, queuedHere, runsOfTrial, type Trial, trialHere } from './trial.ts';

export interface NodeInitOptions extends InitOptions {
  /** "offline": kept until it is synced. "disabled": nothing is recorded. */
  mode?: 'online' | 'offline' | 'disabled';
  /** Where the folder `warren-runs` is. */
  dir?: string;
  /** Whether what the program prints becomes lines of the log; unless given, in the first process of a job only. */
  console?: boolean;
  /** Whether uncommitted changes and the list of packages are kept as files of the run; true unless given. */
  saveCode?: boolean;
}

/** Starts a run. A server that is away is no error. @throws Error where the server refuses the run for good */
export async function startRun(options: NodeInitOptions, serverDefault: string): Promise<StartedRun> {
  const mode = checkedMode(options.mode ?? (process.env.WARREN_MODE || 'online'));
  const resume = checkedResume(options.resume);
  tellIgnored(options);
  const trial = trialHere();
  const opened = openedByAgent(trial, options);
  if (opened !== null) return opened;
  // a run that a worker executes this program for: its worker records what it prints, and how it ends
  const executed = Boolean(process.env.WARREN_ATTEMPT && process.env.WARREN_RUN_ID) && trial === null;
  const { given, drawn, parameters, project, givenId } = givenHere(options, trial, executed);
  const id = givenId === undefined ? randomUUID() : await uuidOf(project, String(givenId));
  const user = options.user ?? userName();
  const fork = await forkPlaceOf({ forkFrom: options.forkFrom, resume }, project);
  const beginning = {
    id,
    project,
    parameters,
    environment: describeEnvironment(),
    heartbeats: mode === 'online',
    fork,
  };
  const input = runInput({ ...given, ...(user === null ? {} : { user }) }, beginning);
  const named = { id, number: null, url: null, firstStep: 0, seed: input.seed, parameters, drawn };
  const stopping = new AbortController();
  if (mode === 'disabled') return { run: nodeRun(runOver(null, named), null, stopping.signal), stopped: () => null };

  const token = options.token ?? process.env.WARREN_TOKEN ?? null;
  const transport = transportTo(serverDefault, token);
  const folder = join(resolve(options.dir ?? (process.env.WARREN_DIR || '.')), 'warren-runs');
  const rank = rankHere();
  const earlier = await lookBack(transport, {
    ...{ id, givenId, resume, fork, trial, executed, token, isOnline: mode === 'online', runFolder: join(folder, id) },
    // a run that Warren made for this program is its own
    isOwn: rank !== null || process.env.WARREN_RUN_ID === givenId,
  });
  const { found, kept, resumes, adds } = earlier;

  const journal = createJournal(folder, id);
  journal.append(['run', input, { mode, server: transport.url, resume: resumes }]);
  // a run that is there keeps the parameters that it began with: these go over them
  if (adds && Object.keys(input.parameters).length > 0) journal.append(['parameters', input.parameters]);
  const sending = { ...keepJournal(journal), isTrial: trial !== null };
  let number: number | null = null;
  if (mode === 'online') {
    lockJournal(journal.path);
    number = await createAtOnce(deliveryOf(storeOf(journal.path), transport, id, { isOwn: true }), input, journal.path);
    if (number !== null) warn(`run ${number} at ${transport.url}/runs/${number}`);
    const order = { runId: id, server: transport.address, token, isAway: number === null, interrupts: !isAgentHere() };
    startSending(sending, order, (reason) => stopping.abort(new Stopped(reason)));
    void sendLeftBehind(folder, transport);
  }
  const isFirst = rank === null || rank === 0;
  const endsRun = isFirst && !executed;
  if (endsRun) guardEnd(sending, mode === 'online' ? { server: transport.address, token } : null);
  const outlet = outletOver(journal, sending, {
    copies: options.console ?? endsRun,
    endsRun,
    logBytes: transport.logBytes(),
  });
  const run = runOver(outlet, {
    ...named,
    number,
    url: number === null ? null : `${transport.url}/runs/${number}`,
    firstStep: nextStep(found, kept, fork),
    lastSteps: new Map(found?.metrics.map(({ name, lastStep }) => [name, lastStep])),
    seed: adds && found !== null ? found.seed : input.seed,
    parameters: { ...earlier.parameters, ...parameters },
    takesSeed: given.seed === undefined,
    ...(executed ? { print } : {}),
    check() {
      const how = isAgentHere() ? stoppedAs(sending) : null;
      if (how !== null) throw new Stopped(`run ${number ?? id} was stopped (${how})`);
    },
  });
  endWithProgram(run, sending);
  if (isFirst && options.saveCode !== false) {
    for (const [name, text] of codeFiles()) {
      const kept = journal.keep(`the file ${name}`, text);
      if (kept !== null) journal.append(['artifact', name, kept, 'text/plain']);
    }
  }
  await sending.guard?.ready;
  const started = { run: nodeRun(run, journal, stopping.signal), stopped: () => stoppedAs(sending) };
  if (trial !== null) runsOfTrial.push(started);
  return started;
}

/** What the program gives, together with what its sweep or its worker says. */
function givenHere(options: NodeInitOptions, trial: Trial | null, executed: boolean) {
  // what its sweep says goes before what the program says
  const given =
    trial === null ? { ...options, ...seedHere(options, executed) } : { ...options, id: trial.runId, seed: trial.seed };
  const own = parametersOf(options.config);
  if (executed && options.seed === undefined) warnOfSeed(own.seed, given.seed);
  const drawn =
    trial === null
      ? { parameters: executed ? queuedHere() : {}, why: 'as it was queued' }
      : { parameters: trial.drawn, why: 'which the sweep has drawn' };
  return {
    given,
    drawn,
    parameters: executed ? keepSet(own, drawn) : laidOver(own, drawn.parameters),
    project: trial?.project ?? projectHere(options.project, executed),
    givenId: executed ? process.env.WARREN_RUN_ID : given.id || process.env.WARREN_RUN_ID || undefined,
  };
}

interface OutletOptions {
  /** Whether what the program prints becomes lines of the log. */
  copies: boolean;
  /** Whether this process ends the run, rather than another one of the job, or its worker. */
  endsRun: boolean;
  /** What the server keeps of a log; null where it has not said so. */
  logBytes: number | null;
}

/** Takes records to the journal: lines together, and the last of them before the end. */
function outletOver(journal: Journal, sending: Sending, { copies, endsRun, logBytes }: OutletOptions): Outlet {
  const tail = keepShort(journal.append, logBytes);
  const stopCopying = copies ? copyConsole((level, line) => tail.take(['line', Date.now(), level, line])) : null;
  return {
    append(record) {
      if (record[0] === 'line') {
        tail.take(record);
        return;
      }
      if (record[0] === 'end') {
        stopCopying?.();
        tail.flush();
        journal.tellLost();
      }
      if (record[0] !== 'end' || endsRun) journal.append(record);
    },
    keepMedia: journal.keepMedia,
    close: (patience) => closeSending(sending, patience),
  };
}

/** The seed with which the run was queued, where the program gives none. */
function seedHere({ seed }: NodeInitOptions, executed: boolean): Pick<NodeInitOptions, 'seed'> {
  return executed && seed === undefined ? { seed: Number(process.env.WARREN_SEED || 0) } : {};
}

/** The project of the run: of one that a worker executes this program for, the one it was queued in. */
function projectHere(given: string | undefined, executed: boolean): string {
  const here = process.env.WARREN_PROJECT || undefined;
  if (!executed || here === undefined) return given ?? here ?? 'default';
  if (given !== undefined && given !== here) {
    warn(
      `init: the run stays in project ${here}, where it was queued, and not in ${given}: queue it with --project ${given}`,
    );
  }
  return here;
}

/** Replicates are told apart by the seed with which they were queued: one that the program uses instead makes all of them the same. */
function warnOfSeed(own: unknown, queued: number | undefined): void {
  // 0 is the seed of whoever names none
  if (!isSeed(own) || queued === 0 || own === queued) return;
  warn(
    `config: seed is ${own}, and the run was queued with seed ${queued}: give the program {seed}, or let it use run.seed`,
  );
}

function checkedMode(mode: string): 'online' | 'offline' | 'disabled' {
  if (mode === 'online' || mode === 'offline' || mode === 'disabled') return mode;
  throw new TypeError(`mode: '${mode}' is not one of online, offline, disabled`);
}

/** The run that the agent of this program has opened for its function, which calls `init`, too; null without one. */
function openedByAgent(trial: Trial | null, options: NodeInitOptions): StartedRun | null {
  const opened = isAgentHere() && trial !== null ? runsOfTrial.find(({ run }) => !run.ended) : undefined;
  if (opened === undefined) return null;
  const { config } = opened.run;
  const all = config.all();
  config.update(laidOver(parametersOf(options.config), all));
  return opened;
}

interface Sought {
  id: string;
  /** As the program or its starter gave it. */
  givenId: string | undefined;
  resume: Resume | undefined;
  fork: ForkPlace | null;
  trial: Trial | null;
  executed: boolean;
  token: string | null;
  isOnline: boolean;
  isOwn: boolean;
  runFolder: string;
}

/** What was before this program, at the server or in the journals here. */
interface Earlier {
  found: FoundRun | null;
  /** The last step of the journals; null without one. */
  kept: number | null;
  /** Whether the program goes on with a run where there is one. */
  resumes: boolean;
  /** Whether its own parameters go over those of the run. */
  adds: boolean;
  parameters: Readonly<Record<string, unknown>>;
}

/** Looks for the run, and opens it again where it has ended. @throws Error where it may not go on, or is not as `resume` says */
async function lookBack(transport: Transport, sought: Sought): Promise<Earlier> {
  const { id, givenId, resume, fork, trial, executed, token, isOnline, isOwn, runFolder } = sought;
  const isKnown = isOnline && givenId !== undefined;
  if (isKnown) await sendFirst(runFolder, { server: transport.address, token: token ?? undefined });
  const found = isKnown ? await findRun(transport, id) : null;
  const resumes = givenId !== undefined && (resume === 'allow' || resume === 'must');
  const kept = resumes && found === null ? lastKeptStep(runFolder) : null;
  checkResume(resume, { id: givenId, found: found !== null, kept: kept !== null, isOwn });
  if (found !== null && !executed) await goOn(found, { trial, reopen: () => reopenRun(transport, id) });
  const adds = resumes && !executed && trial === null;
  const parameters = await parametersBefore(transport, {
    fork: isOnline ? fork : null,
    resumed: adds && found !== null ? id : null,
  });
  return { found, kept, resumes, adds, parameters };
}

/** Opens a run that has ended. @throws Error where it may not go on */
async function goOn(
  { state }: FoundRun,
  { trial, reopen }: { trial: Trial | null; reopen: () => Promise<void> },
): Promise<void> {
  if (state === 'RUNNING') return;
  if (trial !== null && runsOfTrial.length === 0) {
    throw new Error(`trial ${trial.number} of sweep ${trial.sweep} was stopped before it began`);
  }
  await reopen();
}

/** The number of this process in its job, as torchrun, SLURM and MPI give it; null where it is alone. */
function rankHere(): number | null {
  const found = [process.env.RANK, process.env.SLURM_PROCID, process.env.OMPI_COMM_WORLD_RANK];
  const rank = found.find((text) => text !== undefined && /^\d+$/.test(text));
  return rank === undefined ? null : Number(rank);
}

/** Lines of a log that a worker records as what its program prints. */
function print(level: LogLevel, text: string): void {
  process[level === 'debug' || level === 'info' ? 'stdout' : 'stderr'].write(`${text}\n`);
}

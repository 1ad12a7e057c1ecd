import type { CommandTask, ExecutorTask } from '#src/base/contracts/executorMessages.ts';
import type { QueuePayload } from '#src/base/contracts/queuePayload.ts';
import { LOG_BYTES } from '#src/base/contracts/reports.ts';
import type { Logger } from '#src/base/platform/logger.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import { inSpan } from '#src/base/platform/tracing/tracing.ts';
import { endAttempt } from '#src/attempts/endAttempt.ts';
import { recordReports } from '#src/attempts/recordReports.ts';
import { releaseRun } from '#src/attempts/releaseRun.ts';
import { renewLease } from '#src/attempts/renewLease.ts';
import { runsAlone, type ClaimedRun } from '#src/attempts/claimRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import type { NewWorker } from '#src/fleet/store/workerRecord.ts';
import type { ClaimedCommand } from '#src/programs/claimCommand.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { claimJob } from './claimJob.ts';
import { type CommandSettings, commandTaskOf } from '../commands/commandTask.ts';
import { imageOf, removeContainer } from '../commands/containers.ts';
import { leaseNote } from '../commands/leaseWatch.ts';
import { endProcessesOf, markOf } from '../commands/strayProcesses.ts';
import type { DatabaseClock } from './databaseClock.ts';
import { ExecutorHandle } from './executorHandle.ts';
import { executorTaskOf, type TaskSettings } from './executorTask.ts';
import { type AttemptPorts, RunningAttempt } from './runningAttempt.ts';
import { shortMessage } from './databaseFailure.ts';
import type { StandbyExecutors } from './standbyExecutors.ts';
import type { WorkerTrouble } from './workerTrouble.ts';
import { WorkerGate } from './workerGate.ts';

export interface HeldRunsOptions {
  context: ServiceContext;
  worker: NewWorker;
  executors: StandbyExecutors;
  /** The entry of the processes that watch over commands. */
  commandFile: string;
  /** Read at each claim: the API may have moved since the last one. */
  taskSettings(): Promise<TaskSettings>;
  /** How commands are executed; null where they are not. */
  commands: Omit<CommandSettings, 'apiUrl'> | null;
  clock: DatabaseClock;
  /** What is wrong with the worker itself. */
  trouble: Pick<WorkerTrouble, 'lookClosely'>;
  log: Logger;
}

/** Given back because the worker stops. */
const STOP_REASON = 'its worker is shutting down';

/** While more runs than this have computed and are not recorded, as when the database is away, no other begins. */
const MOST_RECORDED_BESIDE = 2;

interface HeldAttempt {
  runId: string;
  attempt: RunningAttempt;
  /** Whether its executor is not done with it. */
  isComputing: boolean;
  /** Whether this worker has executed another run meanwhile. */
  besideOthers: boolean;
  /** Resolves when the database knows how it ended, or the lease is lost. */
  ended: Promise<void>;
}

/** The runs that this worker holds: from the job to the attempt's end. */
export class HeldRuns {
  /** A run's old attempt, which has lost its lease, may still be ending while its next one goes on here. */
  private readonly attempts = new Set<HeldAttempt>();
  private readonly gate = new WorkerGate();
  private stopping = false;

  constructor(private readonly options: HeldRunsOptions) {}

  /**
   * Executes the attempt that a job names, if it is still wanted. Resolves when it has computed and another may begin: its
   * end is recorded meanwhile.
   */
  async execute(payload: QueuePayload): Promise<void> {
    const leave = await this.gate.enter(await runsAlone(this.options.context, payload));
    try {
      const facts = { 'warren.run_id': payload.runId, 'warren.attempt': payload.attempt };
      const options = { kind: 'consumer', parent: payload.trace, facts } as const;
      await inSpan('execute run', options, () => this.executeInside(payload));
    } finally {
      leave();
    }
  }

  private async executeInside(payload: QueuePayload): Promise<void> {
    const { context, worker, executors, taskSettings } = this.options;
    if (this.stopping) return;
    const settings = await taskSettings();
    const claimed = await claimJob(context, payload, worker);
    if (claimed === null) return;
    const task = this.options.clock.task(executorTaskOf(claimed, settings));
    const { attempt, ended } = this.hold(claimed, { executor: executors.take(), task, isolated: false });
    await attempt.computed;
    const recorded = [...this.attempts].filter(({ isComputing }) => !isComputing);
    if (recorded.length > MOST_RECORDED_BESIDE) await ended;
  }

  /** Ids of the runs that are held. */
  ids(): ReadonlySet<string> {
    return new Set([...this.attempts].map(({ runId }) => runId));
  }

  /** Executes a command that was claimed to its end. Other runs of this worker do not count as its neighbors. */
  async executeCommand(command: ClaimedCommand): Promise<void> {
    const { commands, commandFile, taskSettings } = this.options;
    invariant(commands !== null, 'a command was claimed by a worker that takes none');
    const { apiUrl } = await taskSettings();
    const task = this.options.clock.task(commandTaskOf(command, { ...commands, apiUrl }));
    const executor = new ExecutorHandle({
      file: commandFile,
      niceness: 0,
      variables: markOf(task),
      async cleanUp() {
        const { containerEngine: engine } = task;
        if (engine !== null && imageOf(task.environment) !== null) await removeContainer(engine, task);
        await endProcessesOf(task);
      },
    });
    await this.hold(command.claimed, { executor, task, isolated: true }).ended;
  }

  /** Begins the attempt, and looks after it until the database knows how it ended. */
  private hold(
    claimed: ClaimedRun,
    { executor, task, isolated }: { executor: ExecutorHandle; task: ExecutorTask | CommandTask; isolated: boolean },
  ): HeldAttempt {
    const { context, worker } = this.options;
    const payload = { runId: claimed.run.id, attempt: claimed.run.attempt };
    task.logBytes = context.logBytes ?? LOG_BYTES;
    const run = this.options.log.child({ run: claimed.run.number, attempt: payload.attempt });
    const holder = { runId: payload.runId, attempt: payload.attempt, workerId: worker.id };
    const ports: AttemptPorts = {
      renew: () => renewLease(context, holder),
      record: (reports) => recordReports(context, { ...holder, reports: this.options.clock.reports(reports) }),
      end: (outcome) => endAttempt(context, { ...holder, outcome, besideOthers: entry.besideOthers }),
      release: (reason) => releaseRun(context, { ...holder, reason }),
      hold:
        claimed.run.needs === null || !('user' in task)
          ? null
          : { ms: holdMs(claimed.run.needs), note: leaseNote(task.workFolder, { ofUser: task.user !== null }) },
      trouble: () => this.options.trouble.lookClosely(),
      warn: (message) => run.warn(message),
    };
    const others = isolated ? [] : [...this.attempts].filter(({ isComputing }) => isComputing);
    for (const other of others) other.besideOthers = true;
    const attempt = new RunningAttempt(executor, ports, task);
    const entry: HeldAttempt = {
      runId: payload.runId,
      attempt,
      isComputing: true,
      besideOthers: others.length > 0,
      ended: this.seeEnd(attempt, { claimed, log: run }).then(() => void this.attempts.delete(entry)),
    };
    void attempt.computed.then(() => {
      entry.isComputing = false;
    });
    this.attempts.add(entry);
    if (this.stopping) attempt.release(STOP_REASON);
    return entry;
  }

  private async seeEnd(
    attempt: RunningAttempt,
    { claimed: { run, configuration }, log }: { claimed: ClaimedRun; log: Logger },
  ): Promise<void> {
    const startedMs = performance.now();
    log.info({ kind: configuration.kind }, 'run started');
    const facts = { 'warren.run': run.number, 'warren.kind': configuration.kind };
    const end = await inSpan('executor', { facts }, () => attempt.ended);
    const seconds = Math.round(performance.now() - startedMs) / 1000;
    if (end.type !== 'outcome') log.warn({ seconds }, end.type === 'lost' ? 'lease lost' : 'run given back');
    else log.info({ seconds, ...(end.outcome.state === 'FAILED' ? end.outcome.error : {}) }, end.outcome.state);
  }

  /** A notification that a user wants this run stopped. */
  look(runId: string): void {
    for (const entry of this.attempts) if (entry.runId === runId) this.renew(entry.attempt);
  }

  /** Notifications may have been missed: looks at every run. */
  lookAtAll(): void {
    for (const { attempt } of this.attempts) this.renew(attempt);
  }

  private renew(attempt: RunningAttempt): void {
    attempt.renew().catch((thrown: unknown) => {
      this.options.log.warn(`a run cannot be looked at: ${shortMessage(thrown)}`);
    });
  }

  /** Gives every run back and resolves when the database knows; after `patienceMs` leases are left to run out. */
  async stop(patienceMs: number): Promise<void> {
    this.stopping = true;
    for (const { attempt } of this.attempts) attempt.release(STOP_REASON);
    const timer = setTimeout(() => {
      for (const { attempt } of this.attempts) attempt.abandon();
    }, patienceMs);
    await Promise.all([...this.attempts].map(({ attempt }) => attempt.ended));
    clearTimeout(timer);
  }
}

/** How long after the last renewal of its lease a worker may go on with a program: it ends before anybody else gets the run. */
function holdMs({ releaseSeconds }: { releaseSeconds?: number | undefined }): number {
  const releaseMs = releaseSeconds === undefined ? TIMING.releaseMs : 1000 * releaseSeconds;
  return TIMING.leaseMs + releaseMs - TIMING.releaseMarginMs;
}

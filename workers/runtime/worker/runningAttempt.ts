import { type ErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import type { CommandTask, ExecutorTask, FromExecutor } from '#src/base/contracts/executorMessages.ts';
import type { Report } from '#src/base/contracts/reports.ts';
import { CANCEL_GRACE_MS, PRUNE_GRACE_MS, TIMING } from '#src/base/platform/timing.ts';
import type { AttemptOutcome } from '#src/attempts/endAttempt.ts';
import type { LeaseAnswer } from '#src/attempts/renewLease.ts';
import { type AttemptEnd, decideAttemptEnd, endOnIllWorker } from './attemptEnd.ts';
import { isFinalDatabaseFailure, shortMessage } from './databaseFailure.ts';
import type { ExecutorHandle, GivenTask } from './executorHandle.ts';
import { LeaseHold, type LeaseHoldOptions } from './leaseHold.ts';
import { type Periodic, startPeriodic } from './periodic.ts';
import { Recorder } from './recorder.ts';
import { retryUntilDone } from '../shared/retry.ts';

/** Between an executor's last message and its exit. */
const EXIT_MS = 5_000;
/** An executor tells of itself every two seconds: one that is silent this long hangs. */
const SILENCE_MS = 120_000;

/** What an attempt needs of the services, already bound to its run, number and worker. */
export interface AttemptPorts {
  renew(): Promise<LeaseAnswer>;
  record(reports: Report[]): Promise<void>;
  end(outcome: AttemptOutcome): Promise<void>;
  release(reason: string): Promise<void>;
  /** How long it may go on without a renewal; null for what needs no end: all that it does is fenced. */
  hold: Omit<LeaseHoldOptions, 'onEnd'> | null;
  /** What is wrong with the worker itself, now that the run has failed; null when nothing is. */
  trouble(): Promise<string | null>;
  /** Trouble that passes, for the worker's own log. */
  warn(message: string): void;
}

/** One attempt from the start of its executor until the database knows how it ended. Computes nothing itself. */
export class RunningAttempt {
  /** Resolves when its executor is done with it; what it has told may still be on its way to the database. Never rejects. */
  readonly computed: Promise<void>;
  /** Resolves when the attempt has ended and the database knows, or the lease is lost. Never rejects. */
  readonly ended: Promise<AttemptEnd>;
  private readonly given: GivenTask;
  private readonly recorder: Recorder;
  private readonly abort = new AbortController();
  private lease: Periodic | null = null;
  private readonly hold: LeaseHold | null;
  private message: (FromExecutor & { type: 'finished' | 'failed' }) | null = null;
  private refusal: ErrorRecord | null = null;
  private cancelRequested = false;
  private pruneRequested = false;
  private releaseReason: string | null = null;
  private stopping = false;
  private lost = false;
  private lastMessageMs = performance.now();

  constructor(
    executor: ExecutorHandle,
    private readonly ports: AttemptPorts,
    task: ExecutorTask | CommandTask,
  ) {
    const { hold } = ports;
    this.hold = hold === null ? null : new LeaseHold({ ...hold, onEnd: () => this.letGo() });
    this.recorder = new Recorder({
      record: ports.record,
      acknowledge: (sequence) => this.given.acknowledge(sequence),
      onRefused: (error) => this.refuse(error),
      onRetry: (error, failures) => this.warnOnce('reports cannot be recorded yet', error, failures),
    });
    this.given = executor.start(task, (message) => this.receive(message));
    this.computed = this.given.done.then(() => undefined);
    this.ended = this.see();
  }

  /** A user wants the run stopped: `CANCELLED` within two seconds. */
  cancel(): void {
    this.cancelRequested = true;
    this.stopExecutor('the run was cancelled');
  }

  /** Its sweep stops the run early: `PRUNED` as soon as its checkpoint is stored. */
  prune(): void {
    if (this.pruneRequested || this.stopping) return;
    this.pruneRequested = true;
    this.given.prune();
    this.killAfter(PRUNE_GRACE_MS, 'the run was stopped early');
  }

  /** The worker stops: the run goes back to the queue, unless it ends by itself meanwhile. */
  release(reason: string): void {
    this.releaseReason ??= reason;
    this.stopExecutor(reason);
  }

  /** Gives up telling the database, which is away: the lease will run out. */
  abandon(): void {
    this.lose();
    this.abort.abort(new WarrenError('LEASE_LOST', 'given up'));
  }

  /** Renews the lease now, and heeds what the answer says. */
  async renew(): Promise<void> {
    const askedMs = performance.now();
    const answer = await this.ports.renew();
    if (answer !== 'lost' && !this.lost) this.hold?.renewed(askedMs);
    if (answer === 'lost') this.lose();
    else if (answer === 'cancel' && !this.cancelRequested) this.cancel();
    else if (answer === 'prune') this.prune();
  }

  private receive(message: FromExecutor): void {
    this.lastMessageMs = performance.now();
    if (message.type === 'reports') this.recorder.add(message.sequence, message.reports);
    else if (message.type === 'finished' || message.type === 'failed') {
      this.message = message;
      this.killAfter(EXIT_MS, 'the executor did not exit');
    }
  }

  private stopExecutor(reason: string): void {
    if (this.stopping) return;
    this.stopping = true;
    this.given.cancel();
    this.killAfter(CANCEL_GRACE_MS, reason);
  }

  private killAfter(waitMs: number, message: string): void {
    const timer = setTimeout(() => this.given.kill({ code: 'WORKER_LOST', message }), waitMs);
    void this.given.done.then(() => clearTimeout(timer));
  }

  private letGo(): void {
    this.ports.warn(
      'its lease could not be renewed for so long that another worker gets the run: its program is ended',
    );
    this.lose();
  }

  private lose(): void {
    this.lost = true;
    this.recorder.stop();
    this.given.kill({ code: 'LEASE_LOST', message: 'the lease of the run is lost' });
  }

  private refuse(error: ErrorRecord): void {
    if (error.code === 'LEASE_LOST') this.lose();
    else {
      this.refusal = { ...error, message: `the database refused what the run reported: ${error.message}` };
      this.given.kill(this.refusal);
    }
  }

  private async keepLease(): Promise<void> {
    await this.renew();
    const silentMs = performance.now() - this.lastMessageMs;
    if (silentMs > SILENCE_MS && this.recorder.backlog === 0 && this.message === null) {
      const message = `the executor did not answer for ${Math.round(silentMs / 1000)} s and was ended`;
      this.given.kill({ code: 'WORKER_LOST', message });
    }
  }

  private async see(): Promise<AttemptEnd> {
    const lease = startPeriodic({
      everyMs: TIMING.renewMs,
      action: () => this.keepLease(),
      onError: (thrown) => this.ports.warn(`the lease cannot be renewed yet: ${shortMessage(thrown)}`),
    });
    this.lease = lease;
    const exit = await this.given.done;
    this.hold?.stop();
    await this.recorder.idle();
    const decided = decideAttemptEnd({
      message: this.message,
      exit,
      refusal: this.refusal,
      cancelRequested: this.cancelRequested,
      pruneRequested: this.pruneRequested,
      releaseReason: this.releaseReason,
    });
    const hasFailed = decided.type === 'outcome' && decided.outcome.state === 'FAILED' && !this.lost;
    const end = hasFailed ? endOnIllWorker(decided, await this.ports.trouble()) : decided;
    const told = this.lost ? { type: 'lost' as const } : await this.tell(end);
    await this.lease.stop();
    return told;
  }

  private async tell(end: AttemptEnd): Promise<AttemptEnd> {
    const { ports } = this;
    try {
      await retryUntilDone(
        async () => {
          if (end.type === 'outcome') await ports.end(end.outcome);
          else if (end.type === 'release') await ports.release(end.reason);
        },
        {
          isFinal: isFinalDatabaseFailure,
          signal: this.abort.signal,
          onRetry: (error, failures) => this.warnOnce('the end cannot be recorded yet', error, failures),
        },
      );
      return end;
    } catch (thrown) {
      ports.warn(`the end was not recorded: ${shortMessage(thrown)}`);
      return { type: 'lost' };
    }
  }

  private warnOnce(what: string, error: Error, failures: number): void {
    if (failures === 1) this.ports.warn(`${what}, trying again: ${shortMessage(error)}`);
  }
}

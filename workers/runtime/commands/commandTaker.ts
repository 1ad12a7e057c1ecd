import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerOffers } from '#src/base/contracts/runNeeds.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import { type ClaimedCommand, claimCommand } from '#src/programs/claimCommand.ts';
import { releaseRun } from '#src/attempts/releaseRun.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { listRunsOfWorkers } from '#src/runs/store/runRecord.ts';
import type { NewWorker } from '#src/fleet/store/workerRecord.ts';

export interface CommandTakerOptions {
  context: ServiceContext;
  worker: NewWorker;
  offers: WorkerOffers;
  /** Executes a run to its end. */
  execute(command: ClaimedCommand): Promise<void>;
  /** Ids of the runs that this worker executes. */
  held(): ReadonlySet<string>;
  onError(thrown: unknown): void;
}

/** Takes commands from the database as long as what they need is free here. */
export class CommandTaker {
  private readonly stopping = new AbortController();
  private wake: () => void = () => undefined;
  private woken = false;
  private isHeld = false;
  /** A claim whose answer was lost may have been made all the same. */
  private isUncertain = false;
  private readonly looking: Promise<void>;

  constructor(private readonly options: CommandTakerOptions) {
    this.looking = this.look();
  }

  /** Something has changed: a run was queued, or one has ended. */
  notify(): void {
    this.woken = true;
    this.wake();
  }

  /** Takes no more while `isHeld`; what it has goes on. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    if (!isHeld) this.notify();
  }

  /** Takes no more; what it has goes on. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.looking;
  }

  private async look(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      this.woken = false;
      try {
        if (this.isUncertain) await this.releaseStrays();
        while (!signal.aborted && !this.isHeld && (await this.takeOne()));
      } catch (thrown) {
        this.isUncertain = true;
        this.options.onError(thrown);
        await delay(TIMING.commandLookMs, undefined, { signal }).catch(() => undefined);
      }
      if (!this.woken && !signal.aborted) await this.untilNotified();
    }
  }

  private async takeOne(): Promise<boolean> {
    const { context, worker, offers, execute } = this.options;
    const { id: workerId, name: workerName, host, backend, device } = worker;
    const command = await claimCommand(context, { workerId, workerName, host, backend, device, offers });
    if (command === null) return false;
    void execute(command).then(() => this.notify(), this.options.onError);
    return true;
  }

  /** Gives runs back that the database says are here, and that are not. */
  private async releaseStrays(): Promise<void> {
    const { context, worker, held } = this.options;
    for (const run of await listRunsOfWorkers(context.db, [worker.id])) {
      if (run.needs === null || held().has(run.id)) continue;
      const reason = 'the connection to the database broke during the claim';
      await releaseRun(context, { runId: run.id, attempt: run.attempt, workerId: worker.id, reason });
    }
    this.isUncertain = false;
  }

  private async untilNotified(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, TIMING.commandLookMs);
    });
    clearTimeout(timer);
  }
}

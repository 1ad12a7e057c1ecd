import type { Logger } from '#src/base/platform/logger.ts';

export interface DrainPorts {
  /** Takes no new runs while `held`; those it has go on. */
  hold(held: boolean): void;
  /** How many runs it executes. */
  running(): number;
  log: Pick<Logger, 'info'>;
}

/** Whether a worker takes new runs, as the database says. */
export class Drain {
  private draining = false;
  private saidDrained = false;

  constructor(private readonly ports: DrainPorts) {}

  /** Tells what the database says now; call it every few seconds. */
  set(draining: boolean): void {
    if (draining !== this.draining) {
      this.draining = draining;
      this.saidDrained = false;
      this.ports.hold(draining);
      this.ports.log.info(draining ? 'draining: takes no new runs' : 'takes new runs again');
    }
    if (!this.draining || this.saidDrained || this.ports.running() > 0) return;
    this.saidDrained = true;
    this.ports.log.info('drained: all its runs have ended, it can be stopped');
  }
}

export interface LeaseHoldOptions {
  /** How long after a renewal the worker may go on without another. */
  ms: number;
  /** Told each time until when it may, in milliseconds of `performance.now()`. */
  note(untilMs: number): void;
  /** Told once when the time is over. */
  onEnd(): void;
}

/** How long a worker may go on with a program that nobody else may begin meanwhile, by a clock that nobody puts back. */
export class LeaseHold {
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(private readonly options: LeaseHoldOptions) {
    this.renewed(performance.now());
  }

  /** @param askedMs When the renewal was asked for: the database may have made it at once, and its answer took long. */
  renewed(askedMs: number): void {
    if (this.isOver) return;
    const { ms, note, onEnd } = this.options;
    clearTimeout(this.timer);
    this.timer = setTimeout(onEnd, Math.max(0, askedMs + ms - performance.now()));
    note(askedMs + ms);
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }
}

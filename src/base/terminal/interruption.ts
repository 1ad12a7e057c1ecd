/** Signals by which a terminal, a service manager or a person ends a command. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes a signal on that the terminal has sent to everybody: the echo within this time is no second wish. */
const ECHO_MS = 1000;

export interface Interruption {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Name of the first signal; null before. */
  readonly received: NodeJS.Signals | null;
  /** Exit code by which shells know the signal: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP. */
  exitCode(): number;
  /** Gives the signals back their usual effect. */
  release(): void;
}

/**
 * Catches the signals that end a process: the first aborts `signal`, any further one, a second or more later, calls
 * `onSecond`, for what must end at once.
 * @param signals Where they arrive.
 */
export function catchInterruption(onSecond: () => void, signals: NodeJS.EventEmitter = process): Interruption {
  const controller = new AbortController();
  let received: NodeJS.Signals | null = null;
  let firstAt = 0;
  const handle = (signal: NodeJS.Signals) => {
    if (received === null) {
      received = signal;
      firstAt = Date.now();
      controller.abort();
    } else if (Date.now() - firstAt > ECHO_MS) onSecond();
  };
  for (const signal of SIGNALS) signals.on(signal, handle);
  return {
    signal: controller.signal,
    get received() {
      return received;
    },
    exitCode: () => ({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })[received as 'SIGINT'] ?? 0,
    release() {
      for (const signal of SIGNALS) signals.off(signal, handle);
    },
  };
}

export interface Periodic {
  /** Resolves when an action under way has ended. */
  stop(): Promise<void>;
}

export interface PeriodicOptions {
  everyMs: number;
  action(): Promise<void>;
  onError(thrown: unknown): void;
}

/** Does something now and then every `everyMs`; a turn that takes longer delays the next one, never overlaps it. */
export function startPeriodic({ everyMs, action, onError }: PeriodicOptions): Periodic {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const turn = async (): Promise<void> => {
    const startedMs = performance.now();
    await action().catch(onError);
    if (!stopped) timer = setTimeout(next, Math.max(0, everyMs - (performance.now() - startedMs)));
  };
  const next = (): void => {
    running = turn();
  };
  let running = turn();
  return {
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}

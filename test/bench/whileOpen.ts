import { coerceError } from '#src/base/lib/coerceError.ts';
import { catchInterruption } from '#src/base/terminal/interruption.ts';

/** Ends what is open, in the order in which it was begun. */
const open = new Set<() => Promise<void>>();
let ending = false;

/**
 * Begins something outside this program (a server, a folder), gives it to `work`, and ends it: after the work, whether it failed
 * or not, and also where a signal ends the program meanwhile (`endOnSignals`), even while it begins.
 */
export async function whileOpen<Thing, Result>(
  begin: () => Thing | Promise<Thing>,
  end: (thing: Thing) => void | Promise<void>,
  work: (thing: Thing) => Promise<Result>,
): Promise<Result> {
  const begun = Promise.resolve(begin());
  let ended: Promise<void> | null = null;
  // what did not begin needs no end: its error is that of the work
  const endOnce = () => (ended ??= begun.then(end, () => {}));
  open.add(endOnce);
  try {
    return await work(await begun);
  } finally {
    await endOnce();
    open.delete(endOnce);
  }
}

/** From now on a signal, or an error that nobody caught, ends all that is open, the newest first, and then the program. */
export function endOnSignals(): void {
  const endAll = async (code: number) => {
    if (ending) return;
    ending = true;
    for (const end of [...open].reverse()) {
      await end().catch((thrown: unknown) => console.error(`bench: ${coerceError(thrown).message}`));
    }
    process.exit(code);
  };
  const interruption = catchInterruption(() => {});
  interruption.signal.addEventListener('abort', () => {
    console.error(`bench: ${interruption.received}: ending what was started …`);
    void endAll(interruption.exitCode());
  });
  process.on('uncaughtException', (error) => {
    if (!ending) console.error(error);
    void endAll(1);
  });
}

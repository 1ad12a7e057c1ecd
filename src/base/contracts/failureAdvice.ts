import type { RunState } from './runState.ts';

/** As PyTorch, TensorFlow, JAX, Python and Node say it. */
const OUT_OF_MEMORY = /out of memory|MemoryError|RESOURCE_EXHAUSTED|unable to allocate/i;

/** The last words of a message of a run whose program a signal ended. */
const SIGNAL = /\bthe signal (SIG[A-Z0-9]+)/;
/** Signals by which the system ends a program for its own fault. */
const FAULTS: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGSYS', 'SIGTRAP']);
/** Lines that frames of Python, JavaScript, Java, Rust, Go or C++ begin or stand under. */
const TRACE =
  /^Traceback \(most recent call last\)|^\s+at \S|^\s*File ".*", line \d+|^goroutine \d+|^\s*#?\d+:? +0x[\da-f]+/m;

const ADVICE: Readonly<Record<string, string>> = {
  BAD_INPUT: 'A setting cannot be as it is. Run it again with another value.',
  DATA_ERROR:
    'The data could not be read. See which datasets the workers have, put the file into a folder of WARREN_DATA, then retry.',
  NOT_FOUND:
    'Something that it needs is not there any more: another run, or a file of it. Choose another one and run again.',
  RUN_FAILED: 'The program itself failed: the last log lines say where. Mend it, then run again.',
  OUT_OF_MEMORY:
    'It needed more memory than there was. Run it again with a smaller batch, dimension or dataset, or on a larger machine.',
  TIMED_OUT: 'It took longer than it was allowed. Run it again with fewer epochs or a longer limit.',
  WORKER_LOST:
    'Its worker vanished as often as it may. Look at the workers and their machines, then retry: it goes on at its checkpoint.',
  LEASE_LOST: 'Its worker was not heard of in time, as often as it may. Look at the load of the machine, then retry.',
  UNAVAILABLE: 'A service that it needs did not answer. Look whether server and database are well, then retry.',
  NO_ROOM: 'A disk that it needs is full. Free some room, for instance with `warren clean`, then retry.',
  PROGRAM_LOST:
    'Nothing is heard of its program any more. If it still lives it goes on by itself; if not, start it again with the same id.',
  INTERNAL: 'That is a fault of Warren. The stack says where; retrying may help if it was chance.',
};

const STACK_ADVICE = 'The program itself failed: the last log lines and the stack say where. Mend it, then run again.';
const FAULT_ADVICE =
  'The system ended the program for a fault in compiled code, so that there is no stack. The last log lines say how far it came; ' +
  'with PYTHONFAULTHANDLER=1 Python writes where it was.';
const ENDED_ADVICE =
  'The program was ended from outside: by somebody, the batch system, or the system for want of memory. The last log lines say how ' +
  'far it came. Run it again when the cause is known.';

/** Whether the text that came with an error says where in the program it was, and is not only what was printed last. */
export function isTrace(text: string | null | undefined): boolean {
  return typeof text === 'string' && TRACE.test(text);
}

/** What to do about a failed run; null where nothing is wrong, or nothing can be said. */
export function failureAdvice(
  state: RunState,
  error: { code: string; message: string; stack?: string | null | undefined } | null,
): string | null {
  if (state === 'CRASHED') return ADVICE.PROGRAM_LOST ?? null;
  if (state !== 'FAILED' || error === null) return null;
  const { code, message, stack } = error;
  if (code !== 'RUN_FAILED') return ADVICE[code] ?? null;
  if (OUT_OF_MEMORY.test(message)) return ADVICE.OUT_OF_MEMORY ?? null;
  if (isTrace(stack)) return STACK_ADVICE;
  const signal = SIGNAL.exec(message)?.[1];
  if (signal === undefined) return ADVICE.RUN_FAILED ?? null;
  return FAULTS.has(signal) ? FAULT_ADVICE : ENDED_ADVICE;
}

import type { ErrorRecord } from '#src/base/contracts/errors.ts';
import type { FromExecutor } from '#src/base/contracts/executorMessages.ts';
import type { AttemptOutcome } from '#src/attempts/endAttempt.ts';
import type { ExecutorExit } from './executorHandle.ts';
import { storableText } from '../shared/storableText.ts';

/** What is to be told to the database; `lost` when the attempt holds the run no more and there is nothing to tell. */
export type AttemptEnd =
  | { type: 'outcome'; outcome: AttemptOutcome }
  | { type: 'release'; reason: string }
  | { type: 'lost' };

export interface AttemptFacts {
  /** The executor's last word, if it had one. */
  message: (FromExecutor & { type: 'finished' | 'failed' }) | null;
  /** How the executor ended; null where it goes on with another task. */
  exit: ExecutorExit | null;
  /** The database refused a batch for good. */
  refusal: ErrorRecord | null;
  cancelRequested: boolean;
  pruneRequested: boolean;
  /** Why the worker gives its runs back; null when it does not. */
  releaseReason: string | null;
}

function failed(error: ErrorRecord): AttemptEnd {
  return { type: 'outcome', outcome: { state: 'FAILED', error } };
}

/** The executor vanished without a word: memory, somebody's signal, or a crash. */
function unannounced({ code, signal, killedFor, outOfMemory, lastOutput }: ExecutorExit): ErrorRecord {
  const output = storableText(lastOutput.trim(), 8_000);
  const details = output === '' ? {} : { stack: output };
  if (killedFor !== null) return { ...killedFor, ...details };
  const how = signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
  if (outOfMemory) return { code: 'OUT_OF_MEMORY', message: `the run ran out of memory (${how})`, ...details };
  return { code: 'WORKER_LOST', message: `the executor ended without a word (${how})`, ...details };
}

/** The same where the worker itself is ill: the run that has failed there is given back, and that costs it no attempt. */
export function endOnIllWorker(end: AttemptEnd, trouble: string | null): AttemptEnd {
  if (trouble === null || end.type !== 'outcome' || end.outcome.state !== 'FAILED') return end;
  return { type: 'release', reason: `its worker is ill: ${trouble}` };
}

/** How an attempt ended, from all that is known once its executor is gone. */
export function decideAttemptEnd(facts: AttemptFacts): AttemptEnd {
  const { message, exit, refusal, cancelRequested, pruneRequested, releaseReason } = facts;
  if (refusal !== null) return failed(refusal);
  if (message?.type === 'finished' && message.outcome === 'succeeded') {
    return { type: 'outcome', outcome: { state: 'SUCCEEDED' } };
  }
  if (message?.type === 'failed') return failed(message.error);
  if (cancelRequested) return { type: 'outcome', outcome: { state: 'CANCELLED' } };
  if (pruneRequested) return { type: 'outcome', outcome: { state: 'PRUNED' } };
  if (releaseReason !== null && exit?.outOfMemory !== true) return { type: 'release', reason: releaseReason };
  if (message === null && exit !== null) return failed(unannounced(exit));
  return failed({ code: 'WORKER_LOST', message: 'the executor stopped without having been asked to' });
}

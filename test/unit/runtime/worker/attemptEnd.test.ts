import { describe, expect, test } from 'vitest';
import { type AttemptFacts, decideAttemptEnd } from '#workers/runtime/worker/attemptEnd.ts';

const exit = { code: 0, signal: null, killedFor: null, outOfMemory: false, lastOutput: '' };
const facts: AttemptFacts = {
  message: null,
  exit,
  refusal: null,
  cancelRequested: false,
  pruneRequested: false,
  releaseReason: null,
};
const failure = { code: 'RUN_FAILED', message: 'wrong' } as const;
const killed = { ...exit, code: null, signal: 'SIGKILL' as const };

function codeOf(changed: Partial<AttemptFacts>): string {
  const end = decideAttemptEnd({ ...facts, ...changed });
  if (end.type !== 'outcome') return end.type;
  return end.outcome.state === 'FAILED' ? end.outcome.error.code : end.outcome.state;
}

describe('how an attempt ended', () => {
  test.each<[string, Partial<AttemptFacts>, string]>([
    ['the executor said so', { message: { type: 'finished', outcome: 'succeeded' } }, 'SUCCEEDED'],
    ['the experiment failed', { message: { type: 'failed', error: failure } }, 'RUN_FAILED'],
    ['a user cancelled', { message: { type: 'finished', outcome: 'cancelled' }, cancelRequested: true }, 'CANCELLED'],
    ['its sweep stopped it', { message: { type: 'finished', outcome: 'cancelled' }, pruneRequested: true }, 'PRUNED'],
    ['both, the user wins', { exit: killed, pruneRequested: true, cancelRequested: true }, 'CANCELLED'],
    ['a cancelled executor had to be killed', { exit: killed, cancelRequested: true }, 'CANCELLED'],
    [
      'it succeeded before it saw the cancel',
      { message: { type: 'finished', outcome: 'succeeded' }, cancelRequested: true },
      'SUCCEEDED',
    ],
    ['the worker stops', { message: { type: 'finished', outcome: 'cancelled' }, releaseReason: 'stop' }, 'release'],
    ['the worker stops and had to kill', { exit: killed, releaseReason: 'stop' }, 'release'],
    ['both, the user wins', { exit: killed, releaseReason: 'stop', cancelRequested: true }, 'CANCELLED'],
    ['somebody killed the executor', { exit: killed }, 'WORKER_LOST'],
    ['memory ran out', { exit: { ...killed, outOfMemory: true } }, 'OUT_OF_MEMORY'],
    [
      'memory ran out while stopping',
      { exit: { ...killed, outOfMemory: true }, releaseReason: 'stop' },
      'OUT_OF_MEMORY',
    ],
    [
      'we ended a hanging one',
      { exit: { ...killed, killedFor: { code: 'WORKER_LOST', message: 'hangs' } } },
      'WORKER_LOST',
    ],
    [
      'the database refused its reports',
      { exit: killed, refusal: { code: 'BAD_INPUT', message: 'step' } },
      'BAD_INPUT',
    ],
  ])('%s', (_name, changed, code) => {
    expect(codeOf(changed)).toBe(code);
  });

  test('a crash keeps the last words of the process', () => {
    const end = decideAttemptEnd({
      ...facts,
      exit: { ...exit, signal: 'SIGSEGV', lastOutput: 'segmentation\0fault\n' },
    });
    expect(end).toMatchObject({
      outcome: { error: { message: expect.stringContaining('SIGSEGV'), stack: 'segmentation\uFFFDfault' } },
    });
  });
});

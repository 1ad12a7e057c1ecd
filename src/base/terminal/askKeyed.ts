import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Terminal } from './terminal.ts';
import { NOT_WARREN } from './apiClient.ts';

/** Before each try after the first. */
const WAITS_MS = [500, 1_000, 2_000, 4_000];
/** Codes of Node's errors of a connection that never was. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EINVAL']);

export interface KeyedOptions {
  /** Given by the user; a random one otherwise. */
  key?: string | undefined;
  terminal: Pick<Terminal, 'say'>;
  waitsMs?: readonly number[];
  /** What to do again where nothing is known; by default the command with the key. */
  again?: (key: string) => string;
}

/**
 * Has the API make something under a key, by which it makes it once: where the answer is lost, or tells of a failure that may have
 * come after, it is asked again.
 * @throws WarrenError that names the key, where no answer came and something may have been made all the same.
 */
export async function askKeyed<Answer>(
  ask: (key: string) => Promise<Answer>,
  { key = randomUUID(), terminal, waitsMs = WAITS_MS, again = commandWith }: KeyedOptions,
): Promise<Answer> {
  for (let tried = 0; ; tried++) {
    try {
      return await ask(key);
    } catch (thrown) {
      if (!mayBeMade(thrown) || (tried === 0 && neverSent(thrown))) throw thrown;
      const waitMs = waitsMs[tried];
      if (waitMs === undefined) throw uncertain(thrown, again(key));
      if (tried === 0) terminal.say('warren: the API gave no answer; asking again, which makes nothing twice');
      await pause(waitMs);
    }
  }
}

/** Whether what was asked for may be there in spite of the failure, or another try may succeed. */
function mayBeMade(thrown: unknown): thrown is WarrenError {
  if (!(thrown instanceof WarrenError) || thrown.path === NOT_WARREN) return false;
  return thrown.code === 'UNAVAILABLE' || thrown.code === 'INTERNAL' || thrown.code === 'TIMED_OUT';
}

/** Whether no connection was made. */
function neverSent({ cause }: WarrenError): boolean {
  for (let inner = cause; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && typeof inner.code === 'string' && NEVER_SENT.has(inner.code)) return true;
  }
  return false;
}

function commandWith(key: string): string {
  return `The same command with \`--key ${key}\``;
}

function uncertain({ code, message, cause }: WarrenError, again: string): WarrenError {
  const advice = `it may have been done all the same. ${again} does nothing twice`;
  return new WarrenError(code, `${message}; ${advice}`, { cause });
}

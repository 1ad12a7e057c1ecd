import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { CHANGE_CHANNEL, type ChangeEvent, changeEventSchema } from '#src/base/contracts/changeEvents.ts';
import { ANSWER_LIMITS, type AnswerLimits } from './answerLimits.ts';
import { connectPostgres } from './postgresClient.ts';

export interface ChangeHandlers {
  onChange(event: ChangeEvent): void;
  /** Notifications sent while the connection was away are lost: read what is new from the database. */
  onReconnect(): void;
}

export interface ChangeListener {
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/**
 * Hears the notifications that other processes send by NOTIFY, on a connection of its own, which is made again for as long as it
 * takes when it breaks, or gives no sign of life for `silenceMs`.
 * @throws WarrenError UNAVAILABLE when the first connection fails.
 */
export async function listenForChanges(
  databaseUrl: string,
  handlers: ChangeHandlers,
  { silenceMs }: Pick<AnswerLimits, 'silenceMs'> = ANSWER_LIMITS,
): Promise<ChangeListener> {
  const closing = new AbortController();
  let client = await connectListener(databaseUrl, handlers);

  const keepListening = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await untilBroken(client, { probeMs: silenceMs / 2, signal: closing.signal });
      await endQuietly(client);
      for (let wait = FIRST_RETRY_MS; !closing.signal.aborted; wait = Math.min(2 * wait, LAST_RETRY_MS)) {
        try {
          client = await connectListener(databaseUrl, handlers);
          if (!closing.signal.aborted) handlers.onReconnect();
          break;
        } catch {
          await delay(wait, undefined, { signal: closing.signal }).catch(() => {});
        }
      }
    }
    await endQuietly(client);
  };

  const ended = keepListening();
  return {
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}

async function connectListener(databaseUrl: string, { onChange }: ChangeHandlers): Promise<pg.Client> {
  const client = await connectPostgres(databaseUrl, { applicationName: 'warren changes' });
  client.on('notification', ({ channel, payload }) => {
    if (channel !== CHANGE_CHANNEL) return;
    const event = parseEvent(payload ?? '');
    if (event !== null) onChange(event);
  });
  try {
    await client.query(`LISTEN ${CHANGE_CHANNEL}`);
    return client;
  } catch (thrown) {
    await endQuietly(client);
    throw thrown;
  }
}

/** Null for what a newer Warren, or anybody with access to the database, may send besides. */
function parseEvent(payload: string): ChangeEvent | null {
  try {
    return changeEventSchema.safeParse(JSON.parse(payload)).data ?? null;
  } catch {
    return null;
  }
}

/** Resolves when the connection has ended, does not answer a probe within the time between two, or `signal` is aborted. */
async function untilBroken(
  client: pg.Client,
  { probeMs, signal }: { probeMs: number; signal: AbortSignal },
): Promise<void> {
  const broken = new AbortController();
  const abort = (): void => broken.abort();
  client.once('end', abort);
  client.once('error', abort);
  signal.addEventListener('abort', abort, { once: true });
  try {
    while (!broken.signal.aborted && !signal.aborted) {
      await delay(probeMs, undefined, { signal: broken.signal });
      await Promise.race([client.query('SELECT 1'), rejectAfter(probeMs, broken.signal)]);
    }
  } catch {
    // Broken, or closing.
  } finally {
    abort(); // ends the timer of the race
    signal.removeEventListener('abort', abort);
  }
}

async function rejectAfter(timeoutMs: number, signal: AbortSignal): Promise<never> {
  await delay(timeoutMs, undefined, { signal, ref: false });
  throw new Error('the database does not answer');
}

async function endQuietly(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => {}), delay(1_000)]);
  client.connection.stream.destroy();
}

import { Socket } from 'node:net';
import {
  createPostgresBackend,
  type JobsOptions,
  type Processor,
  Queue,
  type QueueOptions,
  Worker,
  type WorkerOptions,
  withBackend,
} from 'bullmq';
import { ANSWER_LIMITS } from '../postgres/answerLimits.ts';
import { WITHOUT_COMPILER } from '../postgres/postgresPool.ts';

/** Where the queue is: in Redis when there is an address for it, else in the database. */
export interface QueueLocation {
  databaseUrl: string;
  redisUrl: string | null;
  /** Keeps several Warrens apart in one Redis; a database belongs to one Warren. */
  prefix?: string;
  /** A connection that has owed an answer for this many milliseconds is given up; default `ANSWER_LIMITS`. */
  silenceMs?: number;
}

export type QueueBackend = 'postgres' | 'redis';

export function backendOf(location: QueueLocation): QueueBackend {
  return location.redisUrl === null ? 'postgres' : 'redis';
}

/** What is asked of BullMQ's `Queue`, the same on both backends. */
export interface ProducerPort {
  on(event: 'error', listener: (error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  addBulk(jobs: { name: string; data: unknown; opts: JobsOptions }[]): Promise<unknown>;
  remove(jobId: string): Promise<number>;
  getDelayed(start: number, end: number): Promise<{ id?: string; promote(): Promise<void> }[]>;
  getJobCounts(...states: ('waiting' | 'prioritized' | 'delayed' | 'active')[]): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** What is asked of BullMQ's `Worker`, the same on both backends. */
export interface ConsumerPort {
  on(event: 'error', listener: (error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  /** Takes jobs until it is closed. */
  run(): Promise<void>;
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): Promise<void>;
  isRunning(): boolean;
  close(force?: boolean): Promise<void>;
}

/** BullMQ's tables have a schema of their own in Warren's database; the first connection makes them. */
const POSTGRES_SCHEMA = 'bullmq';
const CONNECT_MS = 10_000;

/** Seconds that an idle worker waits for word of a job before it looks: the connection that would tell may be dead. */
const LONGEST_WAIT_SECONDS = 10;

const postgres = withBackend((...parameters: Parameters<typeof createPostgresBackend>) => {
  const backend = createPostgresBackend(...parameters);
  const reconnect = backend.reconnectBlocking.bind(backend);
  backend.reconnectBlocking = async () => {
    await reconnect();
    await closeListener(backend);
  };
  return Object.defineProperty(backend, 'maximumBlockTimeout', { value: LONGEST_WAIT_SECONDS });
});

/**
 * Closes the connection that waits for word of a job, so that the next wait opens another. BullMQ does so only when it was
 * told that the connection is dead: after an answer that never came it asks the same one again, for ever.
 */
async function closeListener({ connection }: ReturnType<typeof createPostgresBackend>): Promise<void> {
  const stream = (await connection.getListenClient()).connection?.stream;
  if (stream instanceof Socket) stream.destroy(new Error('the connection that waits for jobs does not answer'));
}

function postgresConnection({ databaseUrl, silenceMs = ANSWER_LIMITS.silenceMs }: QueueLocation, max: number) {
  return {
    connectionString: databaseUrl,
    schema: POSTGRES_SCHEMA,
    migrate: true,
    max,
    keepAlive: true,
    query_timeout: silenceMs,
    idle_in_transaction_session_timeout: silenceMs,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'warren queue',
    options: WITHOUT_COMPILER,
  };
}

function redisConnection(url: string, socketTimeout = ANSWER_LIMITS.silenceMs) {
  const retryStrategy = (times: number) => Math.min(100 * times, 2_000);
  return { url, connectTimeout: CONNECT_MS, socketTimeout, retryStrategy };
}

/** The adding side. It fails at once while the server is away: what could not be added is added again later. */
export function createProducer(location: QueueLocation, queueName: string): ProducerPort {
  if (location.redisUrl === null) {
    return new postgres.Queue<unknown>(queueName, { connection: postgresConnection(location, 4) });
  }
  const redis = redisConnection(location.redisUrl, location.silenceMs);
  const connection = { ...redis, maxRetriesPerRequest: 1, enableOfflineQueue: false };
  const options: QueueOptions = { connection, streams: { events: { maxLen: 100 } } };
  return new Queue<unknown>(queueName, { ...options, prefix: location.prefix ?? 'warren' });
}

/** The taking side, not yet running. It waits and connects again while the server is away. */
export function createConsumer(
  location: QueueLocation,
  processor: Processor<unknown, void, string>,
  { queueName, ...options }: Omit<WorkerOptions, 'connection' | 'prefix' | 'autorun'> & { queueName: string },
): ConsumerPort {
  if (location.redisUrl === null) {
    const connection = postgresConnection(location, 3);
    return new postgres.Worker(queueName, processor, { ...options, connection, autorun: false });
  }
  const connection = { ...redisConnection(location.redisUrl, location.silenceMs), maxRetriesPerRequest: null };
  return new Worker(queueName, processor, {
    ...options,
    connection,
    prefix: location.prefix ?? 'warren',
    autorun: false,
  });
}

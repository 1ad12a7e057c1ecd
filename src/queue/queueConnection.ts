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

/** Where the queue is: in Redis when there is an address for it, else in the database. */
export interface QueueLocation {
  databaseUrl: string;
  redisUrl: string | null;
  /** Keeps several Warrens apart in one Redis; a database belongs to one Warren. */
  prefix?: string;
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

const postgres = withBackend(createPostgresBackend);

function postgresConnection(databaseUrl: string, max: number) {
  return {
    connectionString: databaseUrl,
    schema: POSTGRES_SCHEMA,
    migrate: true,
    max,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'warren queue',
  };
}

function redisConnection(url: string) {
  return { url, connectTimeout: CONNECT_MS, retryStrategy: (times: number) => Math.min(100 * times, 2_000) };
}

/** The adding side. It fails at once while the server is away: what could not be added is added again later. */
export function createProducer(location: QueueLocation, queueName: string): ProducerPort {
  if (location.redisUrl === null) {
    return new postgres.Queue(queueName, { connection: postgresConnection(location.databaseUrl, 4) });
  }
  const connection = { ...redisConnection(location.redisUrl), maxRetriesPerRequest: 1, enableOfflineQueue: false };
  const options: QueueOptions = { connection, streams: { events: { maxLen: 100 } } };
  return new Queue(queueName, { ...options, prefix: location.prefix ?? 'warren' });
}

/** The taking side, not yet running. It waits and connects again while the server is away. */
export function createConsumer(
  location: QueueLocation,
  processor: Processor<unknown, void, string>,
  { queueName, ...options }: Omit<WorkerOptions, 'connection' | 'prefix' | 'autorun'> & { queueName: string },
): ConsumerPort {
  if (location.redisUrl === null) {
    const connection = postgresConnection(location.databaseUrl, 3);
    return new postgres.Worker(queueName, processor, { ...options, connection, autorun: false });
  }
  const connection = { ...redisConnection(location.redisUrl), maxRetriesPerRequest: null };
  return new Worker(queueName, processor, {
    ...options,
    connection,
    prefix: location.prefix ?? 'warren',
    autorun: false,
  });
}

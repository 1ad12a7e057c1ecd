import { Socket } from 'node:net';
import pg from 'pg';
import { beginSpan, isTracing } from '../tracing/tracing.ts';
import type { AnswerLimits } from './answerLimits.ts';

export interface PostgresPoolOptions extends AnswerLimits {
  /** Connections at most. */
  size: number;
  /** Told of statements that took long. */
  slow?: SlowStatements | undefined;
  /** A connection is replaced after this time; null: never for its age. */
  lifetimeSeconds?: number | null;
}

export interface SlowStatements {
  /** Milliseconds from which a statement is slow. */
  fromMs: number;
  /** The statement has no values in it: those are bound. */
  report(statement: string, milliseconds: number): void;
}

const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
/** The first sign of life that is asked of an idle connection. */
export const KEEP_ALIVE_MS = 10_000;

/**
 * Option of every connection: PostgreSQL's compiler, which is on by default where its package is installed, takes longer for the many
 * parts of our queries than it saves, up to seconds each.
 */
export const WITHOUT_COMPILER = '-c jit=off';

/**
 * A pool of connections that survives connections which die in silence (a firewall that forgot them, a host that
 * vanished): one in use on which nothing has moved for `silenceMs` is closed, which fails its query at once, and the idle
 * ones with it, since they went the same way.
 */
export function openPostgresPool(
  url: string,
  { size, statementMs, silenceMs, slow, lifetimeSeconds = null }: PostgresPoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'warren',
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    ...(lifetimeSeconds === null ? {} : { maxLifetimeSeconds: lifetimeSeconds }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: silenceMs,
    // Timestamps are read as UTC.
    options: `-c timezone=UTC ${WITHOUT_COMPILER}`,
  });
  closeSilentConnections(pool, silenceMs);
  if (slow !== undefined || isTracing()) pool.on('connect', (client) => measureStatements(client, slow));
  return pool;
}

function closeSilentConnections(pool: pg.Pool, silenceMs: number): void {
  const sockets = new Map<pg.PoolClient, Socket>();
  const inUse = new Set<pg.PoolClient>();

  pool.on('connect', (client) => {
    const { stream } = client.connection;
    if (!(stream instanceof Socket)) return;
    sockets.set(client, stream);
    stream.setTimeout(silenceMs);
    stream.on('timeout', () => {
      if (!inUse.has(client)) return;
      for (const [other, socket] of sockets) {
        if (other === client || !inUse.has(other)) socket.destroy(silence(silenceMs));
      }
    });
  });
  pool.on('acquire', (client) => {
    inUse.add(client);
  });
  pool.on('release', (_error, client) => {
    inUse.delete(client);
  });
  pool.on('remove', (client) => {
    inUse.delete(client);
    sockets.delete(client);
  });
}

/** Measures the client's queries, from the call to the answer, and traces them. */
function measureStatements(client: pg.PoolClient, slow: SlowStatements | undefined): void {
  client.query = new Proxy(client.query, {
    apply(query, self, parameters: unknown[]) {
      const startedMs = performance.now();
      const statement = statementOf(parameters[0]);
      let answer: unknown;
      beginSpan(statementName(statement), { kind: 'client', facts: factsOf(statement) }, (end) => {
        const note = (failed: boolean) => {
          end({}, failed);
          const milliseconds = performance.now() - startedMs;
          if (slow !== undefined && milliseconds >= slow.fromMs) slow.report(statement, milliseconds);
        };
        // the pool's own `query` calls this one with a callback, a transaction awaits it
        const callback = parameters.at(-1);
        if (typeof callback === 'function') {
          const noting = (...given: unknown[]) => {
            note(given[0] instanceof Error);
            Reflect.apply(callback, undefined, given);
          };
          answer = Reflect.apply(query, self, [...parameters.slice(0, -1), noting]);
          return;
        }
        answer = Reflect.apply(query, self, parameters);
        if (answer instanceof Promise)
          answer.then(
            () => note(false),
            () => note(true),
          );
        else end({}, false);
      });
      return answer;
    },
  });
}

const SHOWN_STATEMENT = 2_000;

/** Without values: those are bound. */
function factsOf(statement: string): Record<string, string> {
  return { 'db.system.name': 'postgresql', 'db.query.text': statement.slice(0, SHOWN_STATEMENT) };
}

/** `SELECT`, `INSERT`: what sort of statement it is. */
function statementName(statement: string): string {
  return /[A-Za-z]+/.exec(statement)?.[0].toUpperCase() ?? 'statement';
}

function statementOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : 'unknown';
}

/** In the form of a system error, by which Prisma knows that the connection failed and not the query. */
function silence(silenceMs: number): NodeJS.ErrnoException {
  const error = new Error(`PostgreSQL has not answered for ${silenceMs / 1000} s: the connection is given up`);
  return Object.assign(error, { code: 'ETIMEDOUT', errno: -110, syscall: 'read' });
}

import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '#src/generated/prisma/client.ts';
import { ANSWER_LIMITS, type AnswerLimits } from './answerLimits.ts';
import { type Database, registerPool } from './database.ts';
import { openPostgresPool, type SlowStatements } from './postgresPool.ts';
import { SCOPE_SETTING, SCOPED_SCHEMAS } from './scopedViews.ts';

/** The rows that a caller sees: those of some projects, by their ids, or those of the runs that a link shows. */
export type DataScope = { kind: 'projects'; projects: readonly string[] } | { kind: 'share'; share: string };

/** The same for scopes that see the same. */
export function keyOfScope(scope: DataScope | null): string {
  if (scope === null) return '*';
  return scope.kind === 'share' ? `share ${scope.share}` : `projects ${scope.projects.toSorted().join(' ')}`;
}

export interface ScopedDatabases {
  /** A database in which there is what the scope sees, and nothing else, whatever is asked. */
  of(scope: DataScope): Database;
  close(): Promise<void>;
}

export interface ScopedDatabaseOptions {
  /** Connections at most, for all scopes together. */
  poolSize: number;
  limits?: AnswerLimits;
  slow?: SlowStatements | undefined;
}

/** Clients that are kept; one that was dropped is made again. */
const MOST_CLIENTS = 50;
/** How long a connection is trusted to have the views still: they are made anew in one transaction, never gone. */
const CHECKED_MS = 1_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Databases as callers see them who may not see everything, over one pool of connections. */
export function openScopedDatabases(url: string, options: ScopedDatabaseOptions): ScopedDatabases {
  const { poolSize, limits = ANSWER_LIMITS, slow } = options;
  const pool = openPostgresPool(url, { size: poolSize, ...limits, slow });
  pool.on('error', () => {}); // replaced on the next query, which tells
  const clients = new Map<string, Database>();

  return {
    of(scope) {
      const key = keyOfScope(scope);
      const known = clients.get(key);
      clients.delete(key);
      const database = known ?? openScoped(pool, scope);
      clients.set(key, database);
      const [oldest] = clients.keys();
      if (clients.size > MOST_CLIENTS && oldest !== undefined) clients.delete(oldest);
      return database;
    },
    close: () => pool.end(),
  };
}

function openScoped(pool: pg.Pool, scope: DataScope): Database {
  const scoped = scopedPool(pool, scope);
  const adapter = new PrismaPg(scoped, { schema: SCOPED_SCHEMAS[scope.kind], onConnectionError: () => {} });
  const database = new PrismaClient({ adapter });
  registerPool(database, scoped);
  return database;
}

interface Taken {
  key: string;
  checkedMs: number;
}

/** What each connection was last prepared for. */
const preparedFor = new WeakMap<pg.PoolClient, Taken>();

/** The pool, every connection of which is prepared for the scope before it is handed out. */
function scopedPool(pool: pg.Pool, scope: DataScope): pg.Pool {
  const key = keyOfScope(scope);
  const take = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    const taken = preparedFor.get(client);
    if (taken?.key === key && performance.now() - taken.checkedMs < CHECKED_MS) return client;
    preparedFor.delete(client);
    try {
      await prepare(client, scope);
    } catch (error) {
      client.release(true);
      throw error;
    }
    preparedFor.set(client, { key, checkedMs: performance.now() });
    return client;
  };
  type Callback = (
    error: Error | undefined,
    client: pg.PoolClient | undefined,
    release: pg.PoolClient['release'],
  ) => void;
  const connect = (callback?: Callback): Promise<pg.PoolClient> | undefined => {
    const taking = take();
    if (callback === undefined) return taking;
    taking.then(
      (client) => callback(undefined, client, client.release.bind(client)),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  };
  // everything else is the pool's own, whose `query` takes its connection by `this.connect`
  // and whose errors are heard once, above, not once a scope
  const deaf = { value: () => pool };
  return Object.create(pool, { connect: { value: connect }, on: deaf, removeListener: deaf });
}

async function prepare(client: pg.PoolClient, scope: DataScope): Promise<void> {
  const schema = SCOPED_SCHEMAS[scope.kind];
  const projects = scope.kind === 'projects' ? scope.projects : [];
  const ids = scope.kind === 'projects' ? projects : [scope.share];
  if (!ids.every((id) => UUID.test(id))) throw new Error('internal: a scope names what is no id');
  const { rows } = await client.query(
    `SELECT set_config('search_path', $1, false), set_config('${SCOPE_SETTING.projects}', $2, false),
       set_config('${SCOPE_SETTING.share}', $3, false), to_regclass($4) IS NOT NULL AS ready`,
    [`${schema}, public`, `{${projects.join(',')}}`, scope.kind === 'share' ? scope.share : '', `${schema}.run`],
  );
  // without the views the names would mean the tables themselves
  if (rows[0]?.ready !== true) throw new Error(`internal: the views of ${schema} are not there; restart the API`);
}

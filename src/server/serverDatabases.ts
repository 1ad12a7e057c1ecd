import { ANSWER_LIMITS, forLongStatements } from '../base/platform/postgres/answerLimits.ts';
import { closeDatabase, type Database, openDatabase } from '../base/platform/postgres/database.ts';
import type { SlowStatements } from '../base/platform/postgres/postgresPool.ts';
import { openScopedDatabases, type ScopedDatabases } from '../base/platform/postgres/scopedDatabase.ts';
import type { Closers, ServerOptions } from './serverOptions.ts';

/** Callers wait for one another here, and for nobody else: reconciler, `/health`, exports and clean-up have connections of their own. */
const CALLERS_CONNECTIONS = 10;
const UPKEEP_CONNECTIONS = 3;
const LONG_CONNECTIONS = 3;
/** Of callers who may not see everything, together. */
const SCOPED_CONNECTIONS = 6;
const SCOPED_LONG_CONNECTIONS = 2;

/** One database over several pools of connections, so that one sort of work never waits for another. */
export interface ServerDatabases {
  callers: Database;
  /** Of what the process does on its own. */
  upkeep: Database;
  /** Of statements that may take long. */
  longWork: Database;
  /** Of callers who may not see everything. */
  scoped: ScopedDatabases;
  /** Of their statements that may take long. */
  scopedLongWork: ScopedDatabases;
}

/** Opens the pools; `closers` close them. */
export function openServerDatabases(options: ServerOptions, slow: SlowStatements, closers: Closers): ServerDatabases {
  const { databaseUrl, answerLimits: limits = ANSWER_LIMITS } = options;
  const open = (poolSize: number, poolLimits = limits): Database => {
    const database = openDatabase(databaseUrl, { poolSize, limits: poolLimits, slow });
    closers.push(() => closeDatabase(database));
    return database;
  };
  const openScoped = (poolSize: number, poolLimits = limits): ScopedDatabases => {
    const databases = openScopedDatabases(databaseUrl, { poolSize, limits: poolLimits, slow });
    closers.push(() => databases.close());
    return databases;
  };
  return {
    callers: open(CALLERS_CONNECTIONS),
    upkeep: open(UPKEEP_CONNECTIONS),
    longWork: open(LONG_CONNECTIONS, forLongStatements(limits)),
    scoped: openScoped(SCOPED_CONNECTIONS),
    scopedLongWork: openScoped(SCOPED_LONG_CONNECTIONS, forLongStatements(limits)),
  };
}

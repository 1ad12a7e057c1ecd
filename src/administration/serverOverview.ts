import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import {
  listProjectSizes,
  listTableSizes,
  type ProjectSize,
  readDatabase,
  type TableSize,
} from '#src/administration/store/databaseSizes.ts';
import { pingDatabase } from '#src/base/database/connection.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { newestChanges } from './newestChanges.ts';

/** How an administrator finds a server. */
export interface ServerOverview {
  /** Markdown: what the newest version, or the next, changes. */
  changes: string;
  /** Milliseconds of one empty statement; null where the database does not answer. */
  databaseMs: number | null;
  postgresVersion: string;
  databaseBytes: number;
  connections: number;
  /** Milliseconds that the queue takes to count its jobs; null where it does not answer. */
  queueMs: number | null;
  tables: TableSize[];
  projects: ProjectSize[];
  /** When the sizes were measured. */
  measuredAt: Date;
}

const MOST_TABLES = 12;
const MOST_PROJECTS = 100;
/** Sizes serve those who ask within this time. */
const KEPT_MS = 60_000;

type Sizes = Pick<ServerOverview, 'tables' | 'projects' | 'measuredAt'>;

/** Tells how a server is; sizes, which take long in a large database, are read once a minute at most. */
export function overviewReader(services: ServiceContext): () => Promise<ServerOverview> {
  const changes = readChanges();
  let sizes: Promise<Sizes> | null = null;
  let validUntilMs = 0;
  const measure = async (): Promise<Sizes> => ({
    tables: await listTableSizes(services.db, MOST_TABLES),
    projects: await listProjectSizes(services.db, MOST_PROJECTS),
    measuredAt: new Date(),
  });
  return async () => {
    if (sizes === null || performance.now() >= validUntilMs) {
      validUntilMs = performance.now() + KEPT_MS;
      sizes = measure();
      sizes.catch(() => {
        sizes = null;
      });
    }
    const [databaseMs, queueMs, { version, bytes, connections }] = await Promise.all([
      timeOf(() => pingDatabase(services.db)),
      timeOf(() => services.queue.counts()),
      readDatabase(services.db),
    ]);
    return {
      changes,
      databaseMs,
      queueMs,
      postgresVersion: version,
      databaseBytes: bytes,
      connections,
      ...(await sizes),
    };
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number | null> {
  const startedMs = performance.now();
  try {
    await work();
    return performance.now() - startedMs;
  } catch {
    return null;
  }
}

/** What the changelog says of the newest version, or of the next; empty where it is not beside the programs. */
function readChanges(): string {
  try {
    return newestChanges(readFileSync(join(projectRoot(), 'CHANGELOG.md'), 'utf8'));
  } catch {
    return '';
  }
}

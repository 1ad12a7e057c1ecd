import { z } from 'zod';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { DoctorDocument } from '#src/generated/api.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { migrationStatus } from '#src/base/platform/postgres/migrations.ts';
import { connectPostgres, describeDatabase } from '#src/base/platform/postgres/postgresClient.ts';
import { askRedis, describeRedis } from '#src/base/platform/queue/redisProbe.ts';
import { requireSessions } from '#src/base/platform/postgres/requireSessions.ts';
import { partsAway } from '#src/base/terminal/partsAway.ts';
import { createApiClient } from '#src/base/terminal/apiClient.ts';
import { findServices } from '#src/base/terminal/findServices.ts';
import { moduleFinding } from './checkKindModules.ts';
import type { Finding } from '#src/base/terminal/finding.ts';
import { storageFinding } from '#src/administration/command/storageFinding.ts';

const CONNECT_MS = 5_000;
const OLDEST_POSTGRES = 140_000;

/** The database: that of DATABASE_URL, of the running instance, or the embedded one that `up` would start. */
export async function checkDatabase(environment: Environment): Promise<Finding[]> {
  const services = await findServices(environment);
  if (services === null) return [await checkEmbedded()];
  const subject = 'PostgreSQL';
  const whose = environment.databaseUrl === null ? 'of the running Warren' : 'of DATABASE_URL';
  try {
    const client = await connectPostgres(services.databaseUrl, {
      applicationName: 'warren doctor',
      connectTimeoutMs: CONNECT_MS,
    });
    try {
      const answer = await client.query('SHOW server_version_num');
      const version = Number(z.object({ server_version_num: z.string() }).parse(answer.rows[0]).server_version_num);
      const found = `${Math.floor(version / 10_000)}.${version % 10_000} at ${describeDatabase(services.databaseUrl)}, ${whose}`;
      if (version < OLDEST_POSTGRES) return [{ subject, level: 'broken', found, advice: 'use PostgreSQL 14 or newer' }];
      await requireSessions(client, services.databaseUrl);
      return [{ subject, level: 'ok', found }, await checkMigrations(services.databaseUrl)];
    } finally {
      await client.end();
    }
  } catch (error) {
    return [
      {
        subject,
        level: 'broken',
        found: coerceError(error).message,
        advice: 'start it, or correct DATABASE_URL; without it an embedded one is used',
      },
    ];
  }
}

async function checkMigrations(url: string): Promise<Finding> {
  const subject = 'Schema';
  const { applied, pending, problems } = await migrationStatus(url);
  if (problems.length > 0)
    return {
      subject,
      level: 'broken',
      found: problems.join('; '),
      advice: 'use the version of Warren that made this database, or another database',
    };
  if (pending.length === 0) return { subject, level: 'ok', found: `newest (${applied.length} migrations)` };
  return {
    subject,
    level: 'note',
    found: `${pending.length} migrations to apply`,
    advice: 'the next start applies them; so does `warren migrate apply`',
  };
}

async function checkEmbedded(): Promise<Finding> {
  const subject = 'PostgreSQL';
  try {
    const { findPostgresBinaries } = await import('#src/base/platform/embedded/postgresBinaries.ts');
    const { postgresAccount } = await import('#src/base/platform/embedded/postgresAccount.ts');
    const { systemFolder } = await import('#src/base/platform/embedded/postgresPlace.ts');
    const account = postgresAccount();
    const binaries = findPostgresBinaries(account, () => systemFolder(account));
    return { subject, level: 'ok', found: `embedded, not running; ${binaries.postgres}` };
  } catch (error) {
    return {
      subject,
      level: 'broken',
      found: `embedded: ${coerceError(error).message}`,
      advice: 'npm ci, or point DATABASE_URL at a PostgreSQL',
    };
  }
}

/** The queue: in PostgreSQL, or in the Redis of REDIS_URL, which must never evict. */
export async function checkQueue({ redisUrl }: Environment): Promise<Finding> {
  const subject = 'Queue';
  if (redisUrl === null)
    return { subject, level: 'ok', found: 'in PostgreSQL (REDIS_URL moves it to Redis, for many machines)' };
  try {
    const { version, maxmemoryPolicy } = await askRedis(redisUrl);
    const found = `${describeRedis(redisUrl)}, ${version}, maxmemory-policy ${maxmemoryPolicy}`;
    if (maxmemoryPolicy === 'noeviction') return { subject, level: 'ok', found };
    return {
      subject,
      level: 'broken',
      found,
      advice: 'redis-cli config set maxmemory-policy noeviction: with another one jobs are lost',
    };
  } catch (error) {
    return {
      subject,
      level: 'broken',
      found: coerceError(error).message,
      advice: 'start it or correct REDIS_URL; without it the queue is in PostgreSQL',
    };
  }
}

/** The API and its workers, where the environment or a running instance says that there is one. */
export async function checkApi(environment: Environment): Promise<Finding[]> {
  const services = await findServices(environment);
  const url = environment.apiUrl ?? services?.apiUrl ?? null;
  if (url === null)
    return [{ subject: 'API', level: 'note', found: 'not running here', advice: '`warren up` starts it' }];
  try {
    const api = createApiClient({ url, token: services?.token ?? environment.token, timeoutMs: CONNECT_MS });
    const [{ server, workers, queue, storage, kindModules }, [away]] = await Promise.all([
      api.request(DoctorDocument, {}),
      partsAway(url),
    ]);
    const alive = workers.filter((worker) => worker.alive);
    const names = alive.map((worker) => `${worker.name} (${worker.backend}, ${worker.device})`).join('; ');
    return [
      away === undefined
        ? { subject: 'API', level: 'ok', found: `answers at ${url}` }
        : { subject: 'API', level: 'broken', found: `answers at ${url}; ${away}` },
      alive.length > 0
        ? { subject: 'Workers', level: 'ok', found: names }
        : {
            subject: 'Workers',
            level: 'note',
            found: 'none is alive',
            advice: '`warren worker` starts one: until then runs stay queued',
          },
      ...alive
        .filter(({ version }) => version !== server.version)
        .map(({ name, version }) => ({
          subject: 'Workers',
          level: 'note' as const,
          found: `${name} is of Warren ${version}, the API of ${server.version}`,
          advice: 'update the older of the two, and start it again: a worker gives its runs back when it stops',
        })),
      storageFinding(storage),
      ...kindModules.map((module) => moduleFinding('Kinds of the API', module)),
      ...(queue.queuedForGpu > 0 && queue.gpuWorkers === 0
        ? [
            {
              subject: 'GPU runs',
              level: 'note' as const,
              found: `${queue.queuedForGpu} wait for a worker with a GPU, and none is alive`,
              advice: '`warren worker` on a machine with a GPU takes them',
            },
          ]
        : []),
      ...queue.unknownKinds.map(({ kind, runs }) => ({
        subject: 'Kinds',
        level: 'note' as const,
        found: `${runs} queued runs wait for a worker that knows the kind "${kind}", and none is alive`,
        advice: 'start a worker with its module in WARREN_KINDS',
      })),
    ];
  } catch (error) {
    const [away] = await partsAway(url);
    if (away !== undefined) return [{ subject: 'API', level: 'broken', found: `answers at ${url}; ${away}` }];
    const advice =
      error instanceof WarrenError && error.code === 'UNAUTHENTICATED' ? 'set WARREN_TOKEN' : '`warren up` starts one';
    return [
      {
        subject: 'API',
        level: environment.apiUrl === null ? 'note' : 'broken',
        found: coerceError(error).message,
        advice,
      },
    ];
  }
}

import { setFlagsFromString } from 'node:v8';
import { coerceError } from '../base/lib/coerceError.ts';
import { toErrorRecord, WarrenError } from '../base/contracts/errors.ts';
import { builtFile } from '../base/lib/projectRoot.ts';
import { type Environment, readEnvironment } from '../base/platform/environment.ts';
import { loadKindModules } from '../kinds/modules/loadKindModules.ts';
import type { StartPatience } from '../base/platform/awaitServer.ts';
import { createLogger } from '../base/platform/logger.ts';
import { awaitPostgres } from '../base/platform/postgres/awaitPostgres.ts';
import { applyMigrations } from '../base/platform/postgres/migrations.ts';
import { readVersion } from '../base/platform/readVersion.ts';
import { startTracing } from '../base/platform/tracing/tracing.ts';
import { rememberPlace } from '../base/platform/artifacts/rememberedPlace.ts';
import { placeText } from '../base/platform/artifacts/storePlace.ts';
import { makePrivateHome } from '../base/platform/privateHome.ts';
import { takeSecrets } from '../base/platform/processes/handedSecrets.ts';
import { awaitRedis, describeRedis } from '../base/platform/queue/redisProbe.ts';
import type { WarrenServer } from './serverOptions.ts';
import { startServer } from './startServer.ts';

/** Exit code of a start that wrong settings prevent: trying again would end the same way. */
const WRONG_SETTING = 2;

/**
 * How many percent the heap may grow between two collections of garbage. V8 itself chooses up to 300 where the machine has
 * much memory: the API then holds 470 MiB after large requests instead of 330.
 */
const HEAP_GROWTH_PERCENT = 40;
setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);

async function serve(environment: Environment, signal: AbortSignal): Promise<WarrenServer> {
  const { databaseUrl, redisUrl, queuePrefix, host, port, origins, answerLimits, smtpUrl, smtpFrom } = environment;
  if (databaseUrl === null) {
    throw new WarrenError(
      'BAD_INPUT',
      'DATABASE_URL: expected the address of a PostgreSQL; `warren up` brings its own',
      {
        path: 'DATABASE_URL',
      },
    );
  }
  makePrivateHome(environment.home);
  const logger = createLogger('api', environment.logLevel);
  const placeBefore = rememberPlace(environment.home, environment.artifacts);
  if (placeBefore !== null) {
    const now = placeText(environment.artifacts);
    logger.warn(`artifacts are kept in ${now} now; those of before are in ${placeBefore}, unless they were copied`);
  }
  for (const { module, kinds, problem } of await loadKindModules(environment)) {
    if (problem === null) logger.info({ kinds }, `WARREN_KINDS: loaded ${module}`);
    else logger.error(`WARREN_KINDS: ${module} is left out: ${problem}`);
  }
  const patience: StartPatience = { seconds: environment.startSeconds, say: (line) => logger.warn(line), signal };
  await awaitPostgres(databaseUrl, patience);
  const { applied } = await applyMigrations(databaseUrl, { onWait: patience.say });
  if (applied.length > 0) logger.info({ applied }, 'migrated the database');
  if (redisUrl !== null) {
    const { maxmemoryPolicy } = await awaitRedis(redisUrl, patience);
    if (maxmemoryPolicy !== 'noeviction') {
      const fault = `its maxmemory-policy is ${maxmemoryPolicy}: when its memory is full, jobs are lost`;
      logger.error(`${describeRedis(redisUrl)}: ${fault}; set it to noeviction`);
    }
  }
  signal.throwIfAborted();
  return await startServer({
    ...{ databaseUrl, redisUrl, queuePrefix, host, port, origins, answerLimits, logger },
    orNextPort: !environment.portGiven,
    requireToken: environment.requireToken,
    seriesPerRun: environment.seriesPerRun,
    logBytes: environment.logBytes,
    externalLeases: {
      withHeartbeats: environment.heartbeatLeaseSeconds,
      withoutHeartbeats: environment.reportLeaseSeconds,
    },
    artifacts: environment.artifacts,
    artifactLinks: environment.artifactLinks,
    uploadFolder: typeof environment.artifacts === 'string' ? environment.artifacts : environment.home,
    trashDays: environment.trashDays,
    auditDays: environment.auditDays,
    checkpointDays: environment.checkpointDays,
    logDays: environment.logDays,
    pointDays: environment.pointDays,
    pointsKept: environment.pointsKept,
    slowMs: 1000 * environment.slowSeconds,
    drainMs: 1000 * environment.drainSeconds,
    outgoing: {
      allowedNetworks: environment.allowedNetworks,
      mail: smtpUrl === null || smtpFrom === null ? null : { smtpUrl, from: smtpFrom },
      publicUrl: environment.publicUrl,
    },
    signIn: environment.signIn,
    dashboardFolder: builtFile('web'),
    clientFolder: builtFile('clients'),
  });
}

/** Ends the process in order at the first signal, or when the process that started it is gone; at once at the second. */
function stopOnSignal(server: WarrenServer, stopTracing: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    const closing = server.close().then(stopTracing);
    closing.then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`warren api: ${coerceError(error).message}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (process.channel !== undefined) process.once('disconnect', stop);
}

/** Aborted by the signals that end the process, and by the end of the process that started it, while it starts. */
function untilStarted(): { signal: AbortSignal; started(): void } {
  const ending = new AbortController();
  const abort = (): void => ending.abort(new WarrenError('CANCELLED', 'asked to end before it had started'));
  const events = ['SIGTERM', 'SIGINT', 'disconnect'] as const;
  for (const event of events) process.on(event, abort);
  const started = (): void => {
    for (const event of events) process.removeListener(event, abort);
  };
  return { signal: ending.signal, started };
}

const start = untilStarted();

try {
  takeSecrets();
  const environment = readEnvironment();
  const stopTracing = await startTracing('warren-api', readVersion());
  const server = await serve(environment, start.signal);
  stopOnSignal(server, stopTracing);
  start.started();
  if (start.signal.aborted) process.emit('SIGTERM');
  process.stdout.write(`Warren's API and dashboard: ${server.url}\n`);
  process.send?.({ type: 'listening', url: server.url });
} catch (error) {
  if (start.signal.aborted) process.exit(0);
  const { code, message } = toErrorRecord(error);
  process.stderr.write(`warren api: ${code === 'INTERNAL' ? (coerceError(error).stack ?? message) : message}\n`);
  process.exit(code === 'BAD_INPUT' || code === 'CONFLICT' ? WRONG_SETTING : 1);
}

import { badInput, toErrorRecord } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { requireTrustedCommands } from '#src/base/platform/commandTrust.ts';
import { type Environment, readEnvironment } from '#src/base/platform/environment.ts';
import { readInstance } from '#src/base/platform/instance.ts';
import { loadKindModules } from '#src/kinds/modules/loadKindModules.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import { makePrivateHome } from '#src/base/platform/privateHome.ts';
import { takeSecrets } from '#src/base/platform/processes/handedSecrets.ts';
import { readVersion } from '#src/base/platform/readVersion.ts';
import { startTracing } from '#src/base/platform/tracing/tracing.ts';
import { startSupervisor } from './supervisor.ts';

const BAD_INPUT_CODE = 2;
/** Everything is over by then, whatever hangs. */
const LAST_MOMENT_MS = 12_000;

async function findServices(environment: Environment): Promise<{ databaseUrl: string; redisUrl: string | null }> {
  const { databaseUrl, redisUrl, home } = environment;
  if (databaseUrl !== null) return { databaseUrl, redisUrl };
  const instance = await readInstance(home);
  if (instance !== null) return { databaseUrl: instance.databaseUrl, redisUrl: redisUrl ?? instance.redisUrl };
  throw badInput(`no database: set DATABASE_URL, or start "warren up" first (nothing runs in ${home})`, 'DATABASE_URL');
}

async function run(executorFile: string, commandFile: string): Promise<void> {
  takeSecrets();
  const environment = readEnvironment();
  const log = createLogger('worker', environment.logLevel);
  makePrivateHome(environment.home);
  for (const { module, kinds, problem } of await loadKindModules(environment)) {
    if (problem === null) log.info({ kinds }, `WARREN_KINDS: loaded ${module}`);
    else log.error(`WARREN_KINDS: ${module} is left out: ${problem}`);
  }
  const services = await findServices(environment);
  requireTrustedCommands(environment, { tokensAsked: environment.databaseUrl !== null || environment.requireToken });
  const stopTracing = await startTracing('warren-worker', readVersion());
  let stopping = false;
  const abort = new AbortController();
  const starting = startSupervisor({ environment, ...services, executorFile, commandFile, log, signal: abort.signal });
  const stop = (why: string): void => {
    if (stopping) return;
    stopping = true;
    log.info(`stopping (${why})`);
    setTimeout(() => process.exit(1), LAST_MOMENT_MS).unref();
    abort.abort();
    starting
      // A start that was given up leaves nothing to stop.
      .then(
        (supervisor) => supervisor.stop(),
        () => {},
      )
      .then(stopTracing)
      .then(() => process.exit(0))
      .catch((thrown: unknown) => {
        log.error(`not stopped in order: ${coerceError(thrown).message}`);
        process.exit(1);
      });
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping && signal === 'SIGINT') process.exit(1);
      stop(signal);
    });
  }
  process.on('disconnect', () => stop('its parent is gone'));
  const supervisor = await starting.catch((thrown: unknown) => {
    if (stopping) return null;
    throw thrown;
  });
  if (supervisor === null || stopping) return;
  const { worker } = supervisor;
  const { backend, device, slots } = worker;
  log.info(
    { backend, device, slots, queue: services.redisUrl === null ? 'postgres' : 'redis' },
    `ready as ${worker.name}`,
  );
  process.send?.({ type: 'listening', name: worker.name });
}

/**
 * The worker process: takes runs until a signal, or the end of the parent that forked it, stops it. Runs under way go back
 * to the queue then; a second Ctrl-C ends it at once.
 * @param executorFile The entry of executor processes.
 * @param commandFile The entry of the processes that watch over commands.
 */
export function serveWorker(executorFile: string, commandFile = builtFile('command.js')): void {
  run(executorFile, commandFile).catch((thrown: unknown) => {
    const { code, message, stack } = toErrorRecord(thrown);
    process.stderr.write(code === 'BAD_INPUT' ? `${message}\n` : `the worker cannot start: ${stack ?? message}\n`);
    process.exit(code === 'BAD_INPUT' ? BAD_INPUT_CODE : 1);
  });
}

import type { ChangeEvent } from '#src/base/contracts/changeEvents.ts';
import { toErrorRecord } from '#src/base/contracts/errors.ts';
import { listenForChanges } from '#src/base/platform/postgres/changeListener.ts';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { requireSessionsOf } from '#src/base/platform/postgres/requireSessions.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { readInstance } from '#src/base/platform/instance.ts';
import type { Logger } from '#src/base/platform/logger.ts';
import { consumeRuns } from '#src/base/platform/queue/runConsumer.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { registerWorker, stopWorker } from '#src/fleet/workers.ts';
import { addedKindsOf } from '#src/fleet/waitsFor.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { isDraining, type NewWorker } from '#src/fleet/store/workerRecord.ts';
import { readableDatasets } from '#workers/data/load/readableDatasets.ts';
import type { TaskSettings } from './executorTask.ts';
import { CommandTaker, type CommandTakerOptions } from '../commands/commandTaker.ts';
import { prepareCommandPlace, removeAttemptFolders } from '../commands/commandPlace.ts';
import { workingEngine } from '../commands/containers.ts';
import { workerOffers } from '../commands/workerOffers.ts';
import { hearClock, startChores } from './chores.ts';
import { createDatabaseClock } from './databaseClock.ts';
import { Drain } from './drain.ts';
import { HeldRuns } from './heldRuns.ts';
import { retryUntilDone } from '../shared/retry.ts';
import { createScratchFolder } from './scratchFolder.ts';
import { shortMessage } from './databaseFailure.ts';
import { StandbyExecutors } from './standbyExecutors.ts';
import { describeWorker } from './workerIdentity.ts';
import { workingArithmetic } from './workingArithmetic.ts';
import { workingBackend } from './workingBackend.ts';
import { triesOf, WorkerTrouble } from './workerTrouble.ts';

/** Runs are given back within this time when the worker stops; after it their leases run out. */
const STOP_PATIENCE_MS = 6_000;
const SAY_STOPPED_MS = 2_000;
const EXECUTOR_NICENESS = 5;

export interface SupervisorOptions {
  environment: Environment;
  databaseUrl: string;
  redisUrl: string | null;
  /** The executor's entry, `dist/executor.js`. */
  executorFile: string;
  /** The entry of the processes that watch over commands, `dist/command.js`. */
  commandFile: string;
  log: Logger;
  /** Gives up the start, which waits for the database and the queue as long as it takes. */
  signal: AbortSignal;
}

export interface Supervisor {
  worker: NewWorker;
  /** Gives all runs back and ends everything that was started. */
  stop(): Promise<void>;
}

function createTaskSettings(
  { environment }: SupervisorOptions,
  { scratchFolder, arithmetic }: Pick<TaskSettings, 'scratchFolder' | 'arithmetic'>,
): () => Promise<TaskSettings> {
  return async () => {
    const instance = environment.apiUrl === null ? await readInstance(environment.home) : null;
    return {
      apiUrl: environment.apiUrl ?? instance?.apiUrl ?? `http://127.0.0.1:${environment.port}`,
      threads: Math.max(1, Math.floor(environment.threads / environment.slots)),
      dataFolders: environment.dataFolders,
      offline: environment.offline,
      cacheFolder: environment.cacheFolder,
      scratchFolder,
      backend: environment.backend,
      arithmetic,
    };
  };
}

function takeCommands({
  context,
  worker,
  offers,
  held,
  log,
}: Pick<CommandTakerOptions, 'context' | 'worker' | 'offers'> & { held: HeldRuns; log: Logger }): CommandTaker {
  log.info(offers, 'takes commands of users');
  return new CommandTaker({
    context,
    worker,
    offers,
    execute: (command) => held.executeCommand(command),
    held: () => held.ids(),
    onError: (thrown) => log.warn(`commands: ${shortMessage(thrown)}`),
  });
}

/** What the worker is and where its runs keep files, known before it speaks to anybody. */
async function prepareWorker({ environment, log }: SupervisorOptions) {
  const warn = (message: string): void => log.warn(message);
  const backend = await workingBackend(environment.backend, warn);
  const arithmetic = workingArithmetic(environment.arithmetic, warn);
  const datasets = await readableDatasets(environment.dataFolders);
  const place = environment.allowCommands ? prepareCommandPlace(environment) : null;
  const containerEngine = place === null ? null : await workingEngine();
  const offers = await workerOffers(environment, { hasContainers: containerEngine !== null });
  const worker = { ...describeWorker({ ...environment, datasets, arithmetic }, backend), offers: offers ?? {} };
  const scratch = { engine: containerEngine, warn };
  const scratchFolder = await createScratchFolder(environment.home, scratch);
  // as whose they run, commands cannot pass through the worker's own
  const user = place?.user ?? null;
  const commandScratch =
    place === null || user === null ? scratchFolder : await createScratchFolder(place.home, { ...scratch, user });
  return {
    worker,
    arithmetic,
    offers,
    containerEngine,
    scratchFolder,
    commands: place === null ? null : { ...place, containerEngine, scratchFolder: commandScratch },
    removeFolders: async () => {
      await removeAttemptFolders(scratchFolder, { ...scratch, user: null });
      if (user !== null) await removeAttemptFolders(commandScratch, { ...scratch, user });
    },
  };
}

/** Waits for the database and the queue, and makes the worker known. */
async function connectWorker(
  { environment, databaseUrl, redisUrl, log, signal }: SupervisorOptions,
  worker: NewWorker,
) {
  const { answerLimits: limits } = environment;
  const db = openDatabase(databaseUrl, { poolSize: 4 + 2 * environment.slots, limits, keepsPrepared: true });
  /** How the arrival of one of them is waited for. */
  const arrival = (what: string) => ({
    isFinal: () => false,
    signal,
    onRetry: (error: Error, failures: number) => {
      if (failures === 1) log.warn(`waiting for the ${what}: ${shortMessage(error)}`);
    },
  });
  const clock = createDatabaseClock((message) => log.warn(message));
  await retryUntilDone(
    async () => {
      await requireSessionsOf(databaseUrl);
      await registerWorker({ db }, worker);
      await hearClock({ db }, worker, clock);
    },
    { ...arrival('database'), isFinal: (thrown) => toErrorRecord(thrown).code === 'BAD_INPUT' },
  );
  const location = { databaseUrl, redisUrl, prefix: environment.queuePrefix, silenceMs: limits.silenceMs };
  const queue = await retryUntilDone(() => openRunQueue(location), arrival('queue'));
  const { seriesPerRun, logBytes } = environment;
  const context: ServiceContext = { db, queue, seriesPerRun, logBytes };
  return { context, db, queue, location, clock, arrival };
}

/**
 * Starts a worker in this process: makes it known, takes runs from the queue and has executor processes execute them.
 * Its own event loop never computes. It goes on through restarts of PostgreSQL, Redis and the API.
 */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const { environment, databaseUrl, executorFile, log } = options;
  const { worker, arithmetic, offers, containerEngine, scratchFolder, ...prepared } = await prepareWorker(options);
  const executors = new StandbyExecutors({ file: executorFile, niceness: EXECUTOR_NICENESS }, environment.slots);
  const { context, db, queue, location, clock, arrival } = await connectWorker(options, worker);
  const trouble = new WorkerTrouble({
    ...triesOf({
      folders: [scratchFolder, prepared.commands?.scratchFolder ?? scratchFolder, environment.cacheFolder],
      ...{ gpu: worker.gpu, backend: environment.backend },
      driverGpus: environment.gpus === null ? (offers?.gpus ?? []) : [],
    }),
    onChange: (found) => {
      if (found === null) log.info('works again: takes new runs');
      else log.error(`takes no new runs: ${found}`);
      holds.trouble = found !== null;
      holds.apply();
      worker.details.trouble = found;
      registerWorker(context, worker).catch((thrown: unknown) => log.warn(`trouble: ${shortMessage(thrown)}`));
    },
  });
  const holds = { drain: false, trouble: false, apply: (): void => undefined };
  const held = new HeldRuns({
    context,
    worker,
    executors,
    commandFile: options.commandFile,
    taskSettings: createTaskSettings(options, { scratchFolder, arithmetic }),
    commands: prepared.commands,
    clock,
    trouble,
    log,
  });
  const handlers = {
    onChange: (event: ChangeEvent) => {
      if (event.type === 'cancel') held.look(event.runId);
      if (event.type === 'run') commands?.notify();
      if (event.type === 'workers') {
        commands?.notify();
        void lookAtDrain();
      }
    },
    onReconnect: () => {
      held.lookAtAll();
      commands?.notify();
    },
  };
  // Its heartbeat looks, too, where this fails.
  const lookAtDrain = () =>
    isDraining(db, worker.id)
      .then((draining) => drain.set(draining))
      .catch(() => undefined);
  const commands = offers === null ? null : takeCommands({ context, worker, offers, held, log });
  const changes = await retryUntilDone(
    () => listenForChanges(databaseUrl, handlers, environment.answerLimits),
    arrival('notifications of the database'),
  );
  const consumer = await consumeRuns({
    ...location,
    slots: environment.slots,
    takesGpuRuns: worker.gpu,
    addedKinds: addedKindsOf(worker),
    onJob: (payload) => held.execute(payload),
    onError: (error) => log.warn(`queue: ${shortMessage(error)}`),
  });
  holds.apply = () => {
    const isHeld = holds.drain || holds.trouble;
    consumer.hold(isHeld);
    commands?.hold(isHeld);
  };
  const drain = new Drain({
    hold: (isHeld) => {
      holds.drain = isHeld;
      holds.apply();
    },
    running: () => held.ids().size,
    log,
  });
  const { dataFolders } = environment;
  const chores = startChores(context, { worker, dataFolders, engine: containerEngine, log, drain, trouble, clock });
  return {
    worker,
    async stop() {
      await Promise.all([consumer.pause(), commands?.stop()]);
      await held.stop(STOP_PATIENCE_MS);
      await Promise.all([consumer.close(), executors.close(), ...chores.map((chore) => chore.stop())]);
      const said = AbortSignal.timeout(SAY_STOPPED_MS);
      await retryUntilDone(() => stopWorker(context, worker.id), { isFinal: () => false, signal: said }).catch(() => {
        log.warn('the database is away: it will find by itself that this worker has stopped');
      });
      await Promise.allSettled([changes.close(), queue.close(), closeDatabase(db)]);
      await prepared.removeFolders();
    },
  };
}

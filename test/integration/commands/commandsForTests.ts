import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { closeDatabase, type Database, openDatabase } from '#src/base/platform/postgres/database.ts';
import { openRunQueue } from '#src/base/platform/queue/runQueue.ts';
import { type EnqueueCommandInput, enqueueCommand } from '#src/programs/enqueueCommand.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { runsReach } from '../runtime/runFacts.ts';
import { startProgram, type TestProgram } from '../runtime/testWorkers.ts';
import { apiForTests, type TestApi } from '../support/apiForTests.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

export interface CommandsForTests {
  api: TestApi;
  db: Database;
  /** Of its workers. */
  home: string;
  context: ServiceContext;
  /** May queue commands. */
  token: string;
  /** Starts a worker that executes commands, with further variables. */
  startWorker(variables?: Record<string, string>): Promise<TestProgram>;
  /** Queues a command without code. */
  queue(input: EnqueueCommandInput): Promise<RunRecord[]>;
  queueOne(input: EnqueueCommandInput): Promise<RunRecord>;
  /** Queues a command, and waits until its first run has ended. */
  run(command: readonly string[], input?: Omit<EnqueueCommandInput, 'command'>): Promise<RunRecord>;
  /** What a run has logged, in order. */
  linesOf(run: { id: string }): Promise<string[]>;
}

/** An API that asks for tokens, over a database of its own, for workers that execute commands. Use at the top of a file. */
export async function commandsForTests(): Promise<CommandsForTests> {
  const api = await apiForTests({ requireToken: true });
  const db = openDatabase(api.postgres.url, { poolSize: 4 });
  const context = { db, queue: await openRunQueue({ databaseUrl: api.postgres.url, redisUrl: null }) };
  afterAll(async () => {
    await context.queue.close();
    await closeDatabase(db);
  });
  const { token } = await issueToken(context, { name: randomUUID(), role: 'WRITE', mayQueueCommands: true });
  const home = join(temporaryFolder(), 'home');
  const queue: CommandsForTests['queue'] = (input) => enqueueCommand(context, input, async () => null);
  const queueOne: CommandsForTests['queueOne'] = async (input) => {
    const [run] = await queue(input);
    if (run === undefined) throw new Error('nothing was queued');
    return run;
  };
  return {
    api,
    db,
    home,
    context,
    token,
    startWorker: (variables = {}) =>
      startProgram(builtFile('worker.js'), {
        WARREN_HOME: home,
        WARREN_BACKEND: 'cpu',
        WARREN_ALLOW_COMMANDS: '1',
        WARREN_TRUST_COMMANDS: '1',
        WARREN_GPUS: '0,1',
        WARREN_SLOTS: '6',
        DATABASE_URL: api.postgres.url,
        WARREN_API_URL: api.url,
        ...variables,
      }),
    queue,
    queueOne,
    run: async (command, input = {}) => {
      const [ended] = await runsReach(db, await queue({ command, ...input }));
      return ended!;
    },
    linesOf: async ({ id }) => {
      const lines = await db.$queryRaw<{ text: string }[]>`
        SELECT text FROM log_line WHERE run_id = ${id}::uuid ORDER BY attempt, line`;
      return lines.map(({ text }) => text);
    },
  };
}

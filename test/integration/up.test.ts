import { createServer } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readInstance } from '#src/base/platform/instance.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { isAlive } from '#src/base/platform/processes/processTree.ts';
import { pidsOf, processesOf } from './support/processesOf.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { clientOf } from './support/apiForTests.ts';
import { type RunningUp, postgresPid, runWarren, startUp, startWarren } from './support/warrenCommand.ts';
import { waitUntil } from './support/waitUntil.ts';

const QUICK = ['run', 'popularity', '--dataset', 'generated/markov-small', '--wait', '--json'];
/** What the API of a Warren tells, without a process for each question. */
function askedAt(url: string) {
  const { ok } = clientOf(url);
  const queue = (input: string): Promise<string> =>
    waitUntil('the API to take a run', () =>
      ok(`mutation { enqueueRuns(input: ${input}) { id } }`).then(
        ({ enqueueRuns: [run] }) => run.id,
        () => null,
      ),
    );
  const stateOf = (id: string): Promise<string | null> =>
    ok('query ($id: ID!) { run(id: $id) { state } }', { id }).then(
      ({ run }) => run.state,
      () => null,
    );
  return {
    ok,
    stateOf,
    /** Has a run executed, and answers its id. */
    async execute(): Promise<string> {
      const id = await queue('{ kind: "popularity", dataset: { name: "generated/markov-small" } }');
      await waitUntil('the run to succeed', async () => (await stateOf(id)) === 'SUCCEEDED', 60_000);
      return id;
    },
    /** Long enough to be met while it runs, with checkpoints, but not one every few milliseconds. */
    async startLongRun(): Promise<string> {
      const id = await queue(`{ kind: "mf-bpr", dataset: { name: "generated/markov-medium" },
        parameters: { epochs: 100000, checkpointEvery: 100 } }`);
      await waitUntil('the run to run', async () => (await stateOf(id)) === 'RUNNING', 60_000);
      return id;
    },
  };
}

async function json(home: string, ...parameters: string[]) {
  const { stdout, stderr } = await runWarren(parameters, { WARREN_HOME: home });
  if (stdout === '') throw new Error(`warren ${parameters.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

const programs = (home: string) => [...pidsOf(home, 'dist/api.js'), ...pidsOf(home, 'dist/worker.js')];

describe('warren up', () => {
  const home = join(temporaryFolder(), 'home');
  let up: RunningUp;
  let long: string;

  it('starts everything, and tells a second one in the same home where the first one is', async () => {
    up = await startUp(home);
    const second = await runWarren(['up'], { WARREN_HOME: home });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`Warren runs already in ${home}: ${up.url} (process ${up.child.pid})`);
    expect((await json(home, ...QUICK)).state).toBe('SUCCEEDED');
  });

  it.each(['dist/worker.js', 'dist/api.js'])('starts %s again after kill -9, as nice as itself', async (program) => {
    const niceness = 12;
    setPriority(up.child.pid!, niceness);
    const [pid] = pidsOf(home, program);
    process.kill(pid!, 'SIGKILL');
    // what is so nice gets little of a busy machine
    await waitUntil(`another ${program}`, () => pidsOf(home, program).some((other) => other !== pid), 60_000);
    await waitUntil('the API', async () => (await fetch(`${up.url}/health`).catch(() => null))?.ok, 60_000);
    await askedAt(up.url).execute();
    const computing = [...pidsOf(home, program), ...pidsOf(home, 'dist/executor.js')];
    expect(computing.length).toBeGreaterThan(1);
    expect(new Set(computing.map((one) => getPriority(one)))).toEqual(new Set([niceness]));
  });

  it('starts PostgreSQL again after kill -9, and what was queued is still there', async () => {
    const before = await askedAt(up.url).execute();
    const pid = await postgresPid(home);
    process.kill(pid, 'SIGKILL');
    // The backends of a killed server live on for a moment: only the new one counts.
    await waitUntil('another PostgreSQL', async () => (await postgresPid(home)) !== pid);
    await waitUntil('the API to have its database back', async () => (await fetch(`${up.url}/health`)).ok);
    await askedAt(up.url).execute();
    expect(await askedAt(up.url).stateOf(before)).toBe('SUCCEEDED');
    expect(isAlive(await postgresPid(home))).toBe(true);
  });

  it('moves PostgreSQL to another port when its own was taken while it was down, and everything goes on there', async () => {
    const databasePort = async () => Number(new URL((await readInstance(home))?.databaseUrl ?? 'x://x').port);
    const port = await databasePort();
    const thief = createServer();
    onTestFinished(() => void thief.close());
    for (let taken = false; !taken; ) {
      const alive = async () => [await postgresPid(home)].find(isAlive);
      process.kill(await waitUntil('a PostgreSQL', alive), 'SIGKILL');
      taken = await new Promise<boolean>((resolve) => {
        thief.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
      });
      // PostgreSQL was quicker: once more, when it is there.
      if (!taken) await waitUntil('the API', async () => (await fetch(`${up.url}/health`).catch(() => null))?.ok);
    }
    await waitUntil('PostgreSQL on another port', async () => (await databasePort()) !== port, 60_000);
    await waitUntil('the API', async () => (await fetch(`${up.url}/health`).catch(() => null))?.ok, 60_000);
    expect(up.stderr()).toContain(`port ${port} has been taken by another program: PostgreSQL is on port`);
    await askedAt(up.url).execute();
  });

  it('stops everything on SIGTERM, and gives the run under way back to the queue', async () => {
    long = await askedAt(up.url).startLongRun();
    const { code, stderr } = await up.stop();
    expect(code).toBe(0);
    expect(stderr).toContain('stopping');
    expect(processesOf(home)).toEqual([]);
  });

  it('goes on with that run at the next start, and a Ctrl-C in the terminal stops all of it, too', async () => {
    up = await startUp(home);
    const { ok, stateOf } = askedAt(up.url);
    await waitUntil('the run to be taken up', async () => (await stateOf(long)) === 'RUNNING');
    const { run } = await ok('query ($id: ID!) { run(id: $id) { attempts { state } } }', { id: long });
    expect(run.attempts).toEqual([{ state: 'LOST' }, { state: 'RUNNING' }]);
    process.kill(-up.child.pid!, 'SIGINT'); // to the whole group, as a terminal does
    expect((await up.ended).code).toBe(0);
    expect(processesOf(home)).toEqual([]);
  });

  it('leaves no program behind when it is killed itself, and the next start recovers', async () => {
    up = await startUp(home);
    const pids = programs(home);
    expect(pids).toHaveLength(2);
    up.child.kill('SIGKILL');
    await waitUntil('API and worker to end', () => programs(home).length === 0);
    await waitUntil('executors to end', () => pidsOf(home, 'dist/executor.js').length === 0);
    up = await startUp(home);
    // The run that has been under way all the time would keep the only worker.
    const { ok, stateOf, execute } = askedAt(up.url);
    expect(['QUEUED', 'RUNNING']).toContain(await stateOf(long));
    await ok('mutation ($ids: [ID!]!) { cancelRuns(ids: $ids) { done } }', { ids: [long] });
    await execute();
  });

  it('stops at once on a second signal', async () => {
    up.child.kill('SIGTERM');
    await waitUntil('the stop to begin', () => up.stderr().includes('stopping'));
    const again = setInterval(() => up.child.kill('SIGTERM'), 300);
    await up.ended;
    clearInterval(again);
    await waitUntil('all to end', () => processesOf(home).length === 0);
  });
});

describe('ports', () => {
  const home = join(temporaryFolder(), 'home');

  it('refuses a taken port that was asked for, and leaves nothing running; the doctor knows it as well', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void blocker.close());
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const environment = { WARREN_HOME: home };
    const refused = await runWarren(['up', '--port', String(port)], environment);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(new RegExp(`port ${port} of 127.0.0.1 is taken by another program; \\d+ is free`));
    expect(processesOf(home)).toEqual([]);
    const doctor = JSON.parse(
      (await runWarren(['doctor', '--json'], { ...environment, WARREN_PORT: String(port) })).stdout,
    );
    expect(doctor.findings.find((finding: { subject: string }) => finding.subject === 'Address').level).toBe('note');
  });
});

describe('a database of its own', async () => {
  const home = join(temporaryFolder(), 'home');
  const postgres = await postgresForTests();

  it('is used, migrated and left running; where it is not on loopback alone, tokens are asked for', async () => {
    const databaseUrl = await postgres.freshDatabase({ empty: true });
    const up = await startUp(home, ['--host', '0.0.0.0'], { DATABASE_URL: databaseUrl });
    expect((await json(home, ...QUICK)).state).toBe('SUCCEEDED');
    expect(processesOf(home).some(({ command }) => command.includes('postgres'))).toBe(false);
    const answer = await fetch(`${up.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ workers { name } }' }),
    });
    expect(answer.status).toBe(401);
    const stranger = await runWarren(['ls'], { WARREN_HOME: join(home, 'stranger'), WARREN_API_URL: up.url });
    expect(stranger.code).toBe(2);
    expect(stranger.stderr).toContain('set WARREN_TOKEN');
    await up.stop();
    expect(processesOf(home)).toEqual([]);
    const left = await connectPostgres(databaseUrl, { applicationName: 'test' });
    expect((await left.query('SELECT count(*)::int AS runs FROM run')).rows).toEqual([{ runs: 1 }]);
    await left.end();
  });

  it('serves API and worker that are started alone', async () => {
    const environment = {
      WARREN_HOME: join(home, 'alone'),
      DATABASE_URL: await postgres.freshDatabase({ empty: true }),
    };
    expect((await runWarren(['migrate', 'status'], environment)).code).toBe(1);
    expect((await runWarren(['migrate', 'apply'], environment)).stdout).toContain('applied');
    expect((await runWarren(['migrate', 'status'], environment)).code).toBe(0);
    const api = startWarren(['api', '--port', '0'], environment);
    onTestFinished(() => void api.child.kill('SIGKILL'));
    const url = await waitUntil('the API', () => /dashboard: (\S+)/.exec(api.stdout())?.[1], 60_000);
    const worker = startWarren(['worker'], { ...environment, WARREN_API_URL: url });
    onTestFinished(() => void worker.child.kill('SIGKILL'));
    const run = await runWarren(QUICK, { ...environment, WARREN_API_URL: url });
    expect(JSON.parse(run.stdout).state).toBe('SUCCEEDED');
    worker.child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    api.child.kill('SIGTERM');
    expect((await api.ended).code).toBe(0);
  });
});
